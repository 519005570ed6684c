import { sandboxAcceptance } from './acceptance.ts';
import { bubblewrapSubject } from './subject.ts';

sandboxAcceptance('bubblewrap', () => bubblewrapSubject());
sandboxAcceptance('bubblewrap with rlimits only', () => bubblewrapSubject({ limits: 'rlimit' }));
