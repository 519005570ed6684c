import { systemClock } from '@assay/foundation';
import { openMemoryJournal } from '../src/index.ts';
import { journalAcceptance } from './acceptance.ts';
import { QUEST } from './drafts.ts';

journalAcceptance('memory', () => Promise.resolve(openMemoryJournal({ quest: QUEST, clock: systemClock })));
