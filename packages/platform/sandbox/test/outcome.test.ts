import { describe, expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { outcome, type EndFacts } from '../src/session-host/outcome.ts';

const facts: EndFacts = {
  ending: undefined,
  outOfMemory: false,
  memoryBytes: 1000,
  exitCode: undefined,
  backendSignal: null,
  complaint: '',
};

describe('how a session ended', () => {
  test('no exit code means that nothing ran, with the complaint as the reason', () => {
    verifies('sandbox.setup-failed-never-ran');
    expect(outcome({ ...facts, complaint: 'no such mount' })).toEqual({
      end: 'setup_failed',
      exitCode: null,
      signal: null,
      message: 'no such mount',
    });
    expect(outcome(facts)).toMatchObject({
      end: 'setup_failed',
      message: 'the sandbox ended before the command started',
    });
  });

  test('a reported code is an exit or, from 128 on, a signal', () => {
    verifies('sandbox.exit-code', 'sandbox.signal-name');
    expect(outcome({ ...facts, exitCode: 0 })).toEqual({ end: 'exited', exitCode: 0, signal: null });
    expect(outcome({ ...facts, exitCode: 128 })).toEqual({ end: 'exited', exitCode: 128, signal: null });
    expect(outcome({ ...facts, exitCode: 134 })).toMatchObject({ end: 'signaled', signal: 'SIGABRT', exitCode: null });
    expect(outcome({ ...facts, exitCode: 137 })).toMatchObject({ end: 'signaled', signal: 'SIGKILL' });
    expect(outcome({ ...facts, exitCode: 255 })).toMatchObject({ end: 'exited', exitCode: 255 });
  });

  test('memory comes before everything, a good exit code included', () => {
    verifies('sandbox.out-of-memory');
    const ending = { end: 'timed_out', message: 'late' } as const;
    expect(outcome({ ...facts, outOfMemory: true, exitCode: 0, ending })).toEqual({
      end: 'out_of_memory',
      exitCode: 0,
      signal: null,
      message: 'a process passed the memory limit of 1000 bytes',
    });
  });

  test('what we did comes before what the command says, which is kept', () => {
    const ending = { end: 'killed', message: 'enough' } as const;
    expect(outcome({ ...facts, ending, exitCode: 3 })).toEqual({
      end: 'killed',
      exitCode: 3,
      signal: null,
      message: 'enough',
    });
    expect(outcome({ ...facts, ending, exitCode: 143 })).toMatchObject({
      end: 'killed',
      exitCode: null,
      signal: 'SIGTERM',
    });
    expect(outcome({ ...facts, ending, backendSignal: 'SIGKILL' })).toMatchObject({ end: 'killed', exitCode: null });
  });

  test('a backend that somebody else ended is not a set-up failure', () => {
    expect(outcome({ ...facts, backendSignal: 'SIGKILL' })).toEqual({
      end: 'signaled',
      exitCode: null,
      signal: 'SIGKILL',
      message: 'the sandbox was ended from outside by SIGKILL',
    });
  });
});
