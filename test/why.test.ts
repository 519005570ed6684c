import { errorCodes, usualHint, type Failure } from '@assay/contracts';
import { executeDrafts, explainPlan, explainTask } from '@assay/plan-graph';
import { verifies } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import { planOfTasks, PureDriver } from '../packages/shared/plan-graph/test/pure-driver.ts';
import { errorSites, namedCodes } from './support/error-sites.ts';

const sites = errorSites();

describe('what the program says of failures', () => {
  it('every code is one that something can end with', () => {
    const codes = Object.keys(errorCodes);
    const named = namedCodes(codes);
    // verify answers with a verdict; the code stays, since codes are never taken away.
    expect(codes.filter((code) => !named.has(code))).toEqual(['verification_failed']);
    expect(sites.length).toBeGreaterThan(300);
  });

  it('each says what to do, at the place where it is made', () => {
    verifies('guide.why-says-what-to-do');
    const silent = sites.filter(({ code, hint }) => hint === undefined && usualHint(code) === undefined);
    expect(silent.map(({ at, code, message }) => `${at} ${code}: ${message}`)).toEqual([]);
  });

  it('each is explained of a task, of the tasks that it blocks and of its plan, with what, why and what to do', () => {
    verifies('guide.why-says-what-to-do');
    const poor = sites.filter((site) => {
      const said = explained(site);
      const parts = [site.message, site.why ?? '', site.hint ?? usualHint(site.code) ?? ''];
      const isWhole = (text: string) => parts.every((part) => text.includes(part)) && text.includes('; what to do: ');
      return !said.every(isWhole);
    });
    expect(poor).toEqual([]);
  });
});

/** The sentences of a failed task, of the task behind it, and of their plan. */
function explained({ code, message, why, hint }: (typeof sites)[number]): string[] {
  const failure: Failure = {
    code,
    message,
    ...(why === undefined ? {} : { why }),
    ...(hint === undefined ? {} : { hint }),
  };
  const driver = new PureDriver(
    planOfTasks([
      { id: 'a', retryLimit: 0 },
      { id: 'b', dependencies: ['a'] },
    ]),
  );
  driver.apply(executeDrafts(driver.state, 'me'));
  driver.finish('a', { ok: false, error: failure });
  const { state } = driver;
  return [explainTask(state, 'a'), explainTask(state, 'b'), explainPlan(state)];
}
