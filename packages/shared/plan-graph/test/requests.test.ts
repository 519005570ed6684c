import { approveDrafts, cancelDrafts, clarifyDrafts, executeDrafts } from '@assay/plan-graph';
import { AssayError } from '@assay/foundation';
import { verifies } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import { planOfTasks, PureDriver, START } from './pure-driver.ts';

function errorOf(work: () => unknown): AssayError {
  try {
    work();
  } catch (error) {
    if (error instanceof AssayError) return error;
    throw error;
  }
  throw new Error('it was allowed');
}

const question = {
  question: 'Which column is the target?',
  field: 'target',
  options: [
    { value: 'species', label: 'species', default: true },
    { value: 'island', label: 'island' },
  ],
  answer: null,
};

describe('what keeps a plan from starting', () => {
  it('an open question, until it is answered with one of the options', () => {
    verifies('plan.approval');
    const driver = new PureDriver(planOfTasks([{ id: 'a' }], { clarification: question, inputs: { data: '/d.csv' } }));
    const refused = errorOf(() => executeDrafts(driver.state, 'me'));
    expect(refused.code).toBe('needs_clarification');
    expect(refused.message).toBe('Which column is the target?');
    expect(refused.details).toMatchObject({ field: 'target', options: question.options });
    const gone = new PureDriver(planOfTasks([{ id: 'a' }], { clarification: question }));
    gone.apply(cancelDrafts(gone.state, 'me', 'not now'));
    expect(errorOf(() => clarifyDrafts(gone.state, { answer: 'island', by: 'me' }))).toMatchObject({
      code: 'plan_not_runnable',
      hint: 'make a new plan',
    });
    const wrong = errorOf(() => clarifyDrafts(driver.state, { answer: 'colour', by: 'me' }));
    expect(wrong.code).toBe('invalid_request');
    expect(wrong.hint).toBe('the answers are: species, island');
    driver.apply(clarifyDrafts(driver.state, { answer: 'island', by: 'me' }));
    expect(driver.plan.inputs).toEqual({ data: '/d.csv', target: 'island' });
    expect(driver.plan.clarification?.answer).toBe('island');
    expect(errorOf(() => clarifyDrafts(driver.state, { answer: 'island', by: 'me' })).code).toBe('conflict');
    driver.apply(executeDrafts(driver.state, 'me'));
    expect(driver.plan.status).toBe('in_progress');
  });

  it('an answer becomes the kind of value that its input has, or is refused', () => {
    verifies('plan.approval');
    const ask = (field: string) =>
      new PureDriver(planOfTasks([{ id: 'a' }], { clarification: { ...question, field, options: [] } }));
    const inputsAfter = (field: string, answer: string) =>
      clarifyDrafts(ask(field).state, { answer, by: 'me' })[0]!.data;
    expect(inputsAfter('input', 'text')).toMatchObject({ inputs: { input: ['text'] } });
    expect(inputsAfter('limit', '20')).toMatchObject({ inputs: { limit: 20 } });
    expect(errorOf(() => inputsAfter('limit', 'many')).message).toBe('"many" cannot be used as limit');
    expect(errorOf(() => inputsAfter('nonsense', 'x')).code).toBe('invalid_request');
  });

  it('a missing approval, which may bring its own budget', () => {
    verifies('plan.approval');
    const driver = new PureDriver(planOfTasks([{ id: 'a' }], { approvalReason: 'mode full' }));
    const refused = errorOf(() => executeDrafts(driver.state, 'me'));
    expect([refused.code, refused.why]).toEqual(['needs_approval', 'mode full']);
    driver.apply(approveDrafts(driver.state, 'boss', { maxTaskAttempts: 5, maxDurationSeconds: 50 }));
    expect(driver.plan).toMatchObject({
      status: 'pending',
      budget: { maxTaskAttempts: 5, maxDurationSeconds: 50 },
      approval: { required: true, status: 'approved', approvedBy: 'boss', approvedAt: new Date(START).toISOString() },
    });
    expect(errorOf(() => approveDrafts(driver.state, 'boss')).code).toBe('conflict');
  });

  it('its own state', () => {
    verifies('plan.approval');
    const driver = new PureDriver(planOfTasks([{ id: 'a' }]));
    driver.apply(executeDrafts(driver.state, 'me'));
    expect(errorOf(() => executeDrafts(driver.state, 'me')).message).toBe('plan plan_1 is already running');
    driver.succeed('a');
    expect(errorOf(() => executeDrafts(driver.state, 'me'))).toMatchObject({
      code: 'plan_not_runnable',
      message: 'plan plan_1 is completed',
      hint: 'make a new plan to run it again',
    });
  });
});
