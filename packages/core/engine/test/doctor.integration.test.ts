import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { machineChecks } from '../src/offline/machine-checks.ts';
import { runDoctor } from '../src/offline/index.ts';

const NO_HOME = 'the home cannot be written';

test('a home that cannot be written is told once, with what was not tried for its sake', async () => {
  verifies('doctor.what-why-do');
  const { ok, checks } = await runDoctor('/proc/assay-home/below');
  expect(ok).toBe(false);
  const [home, ...rest] = checks;
  expect(home).toMatchObject({ name: 'home', status: 'failed', hint: expect.any(String) as string });
  expect(rest.filter(({ status }) => status === 'failed').map(({ name, found, why }) => [name, found, why])).toEqual([
    ['sandbox', 'it was not tried', NO_HOME],
    ['sandbox self-test', 'it was not tried', NO_HOME],
    ...rest
      .filter(({ name, status }) => name === 'disk' && status === 'failed')
      .map((one) => [one.name, one.found, one.why]),
  ]);
  for (const { name, status, found, hint } of checks) {
    expect(found, name).not.toMatch(/ENOENT|does not hold/);
    if (status === 'failed') expect(hint, name).toBeDefined();
  }
});

test('without a sandbox its self-test is not tried, and is not said to have found a hole', async () => {
  verifies('doctor.what-why-do');
  const unusable = {
    id: 'bubblewrap',
    capabilities: async () => ({ usable: false, why: 'the program bwrap was not found', hint: 'install it' }),
  } as unknown as Parameters<typeof machineChecks>[1];
  const checks = await machineChecks('/', unusable);
  expect(checks.filter(({ name }) => name.startsWith('sandbox'))).toEqual([
    {
      name: 'sandbox',
      status: 'failed',
      found: 'bubblewrap does not work here',
      why: 'the program bwrap was not found',
      hint: 'install it',
    },
    {
      name: 'sandbox self-test',
      status: 'failed',
      found: 'it was not tried',
      why: 'there is no sandbox to test',
      hint: 'mend what is named above, then run "assay doctor" again',
    },
  ]);
});
