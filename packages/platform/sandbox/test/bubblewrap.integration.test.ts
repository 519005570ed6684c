import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { sandboxAcceptance } from './acceptance.ts';
import { bubblewrapSubject, run, shell, specFor } from './subject.ts';

sandboxAcceptance('bubblewrap', () => bubblewrapSubject());
sandboxAcceptance('bubblewrap with rlimits only', () => bubblewrapSubject({ limits: 'rlimit' }));

test('a share of a processor is what a command gets, where control groups bound it', async ({ skip }) => {
  verifies('sandbox.limits-ladder');
  await using subject = await bubblewrapSubject();
  await using instance = await subject.sandbox.create(specFor(subject, { cpus: 0.2, timeoutSeconds: 1 }));
  if (instance.attestation.limits === 'rlimit') skip('this machine has no control groups to use');
  const { exit } = await run(subject, instance, shell('while :; do :; done'));
  expect(exit.end).toBe('timed_out');
  expect(exit.cpuSeconds).toBeGreaterThan(0.05);
  expect(exit.cpuSeconds).toBeLessThan(0.2 * exit.seconds + 0.15);
});
