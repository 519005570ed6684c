import { describe, expect, it } from 'vitest';
import { tally, type Vote } from '../src/vote.ts';
import { useVotes } from '../src/use-votes.ts';
import { readCallName } from '../src/call-names.ts';
import { whyNotOffered } from '../src/places.ts';

describe('adding votes up', () => {
  const vote = (element: NonNullable<Vote['element']>, weight: number): Vote => ({ element, weight, why: '' });
  const element = (votes: readonly Vote[]) => tally(votes, (found) => found.element);

  it('is certain when much speaks for one thing and nothing against it', () => {
    expect(element([vote('row', 1.5), vote('row', 1.5)])).toEqual({ winner: 'row', certainty: 1 });
  });
  it('is less certain with little weight or with a rival', () => {
    expect(element([vote('row', 1)])).toEqual({ winner: 'row', certainty: 0.5 });
    expect(element([vote('row', 3), vote('text', 1)])).toEqual({ winner: 'row', certainty: 0.75 });
  });
  it('has no winner without votes or with a tie', () => {
    expect(element([])).toBeUndefined();
    expect(element([vote('row', 1), vote('text', 1)])).toBeUndefined();
  });
});

describe('votes from what code does', () => {
  const read = (uses: Parameters<typeof useVotes>[0]) =>
    useVotes(uses, 'x', 'a.py:1').map((vote) => [vote.element, vote.call, vote.why]);

  it('tells rows, texts, lists of numbers and numbers apart', () => {
    expect(read({ keys: ['age'] })).toEqual([['row', 'single', 'a.py:1 reads "age" from x']]);
    expect(read({ methods: ['lower'] })).toEqual([['text', 'single', 'a.py:1 calls .lower() on x']]);
    expect(read({ marks: ['number'] })).toEqual([['number', 'single', 'a.py:1 calculates with x']]);
    expect(read({ marks: ['iterated'], element: { marks: ['number'] } })).toEqual([
      ['vector', 'single', 'a.py:1 calculates with the elements of x'],
    ]);
  });
  it('sees a batch in what is done with the elements', () => {
    expect(read({ element: { optionalKeys: ['age'] } })).toEqual([
      ['row', 'batch', 'a.py:1 reads "age" from the elements of x'],
    ]);
    expect(read({ element: { element: { marks: ['number'] } } })).toEqual([
      ['vector', 'batch', 'a.py:1 calculates with the elements of each element of x'],
    ]);
  });
  it('learns nothing from a value that is only stored', () => {
    expect(read({})).toEqual([]);
  });
});

describe('names of calls', () => {
  it.each<readonly [string, unknown]>([
    ['predict', { weight: 0.25, call: undefined, isText: false }],
    ['predictBatch', { weight: 0.25, call: 'batch', isText: false }],
    ['classify_text', { weight: 0.25, call: 'single', isText: true }],
    ['knn_predict', { weight: 0.25, call: undefined, isText: false }],
    ['predict_sentiment', { weight: 0.25, call: undefined, isText: false }],
    ['classify_class_attrs', { weight: 0.15, call: undefined, isText: false }],
    ['detect', { weight: 0.15, call: undefined, isText: false }],
    ['detect_file_type', { weight: 0.15, call: undefined, isText: false }],
    ['guess_extension', { weight: -0.1, call: undefined, isText: false }],
    ['predict_proba', { reason: 'gives probabilities, not predictions' }],
    ['predict_file', { reason: 'works on files or addresses' }],
    ['detect_image', { reason: 'works on images, sound or video' }],
    ['score_error', { reason: 'gives a measure, not predictions' }],
  ])('%s', (name, expected) => {
    expect(readCallName(name, { task: 'classification', target: 'fileType' })).toEqual(expected);
  });
  it('does not take a classifier for a regression', () => {
    expect(readCallName('classify', { task: 'regression', target: null })).toEqual({
      reason: 'gives labels, and the target is a number',
    });
  });
});

describe('places that offer nothing', () => {
  it.each<readonly [string, boolean]>([
    ['pkg/model.py', true],
    ['src/pkg/contest.py', true],
    ['latest/model.py', true],
    ['tests/model.py', false],
    ['pkg/test_model.py', false],
    ['vendor/x/model.py', false],
    ['examples/model.py', false],
    ['demo.py', false],
    ['setup.py', false],
  ])('%s offered: %s', (path, isOffered) => {
    expect(whyNotOffered(path) === undefined).toBe(isOffered);
  });
});
