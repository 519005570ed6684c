import { verifies } from '@assay/testkit';
import { describe, expect, test } from 'vitest';
import { hostOf, recognise } from '../src/data/recognise.ts';

describe('a sentence in the box', () => {
  test.each([
    [
      'Benchmark https://git.example.org/a/b on /data/rows.csv, predict species',
      { repository: 'https://git.example.org/a/b', data: '/data/rows.csv', target: 'species' },
    ],
    [
      'pypi:tab-forest==1.2 on "/data/churn 2025.tsv"'.replace(' 2025', '-2025'),
      { repository: 'pypi:tab-forest==1.2', data: '/data/churn-2025.tsv' },
    ],
    [
      'Evaluate /home/me/model with /d/x.jsonl.gz as a regression',
      { repository: '/home/me/model', data: '/d/x.jsonl.gz', task: 'regression' },
    ],
    [
      '在 /data/企鹅.csv 上评测 git@host.example:a/b.git，预测 种类',
      { repository: 'git@host.example:a/b.git', data: '/data/企鹅.csv', target: '种类' },
    ],
    ['/home/me/model', { repository: '/home/me/model' }],
    ['Benchmark my classifier', {}],
    ['', {}],
  ])('%j is a benchmark', (sentence, says) => {
    verifies('page.one-box');
    expect(recognise(sentence)).toEqual({ ...says, notYet: false });
  });

  test.each([
    'Reproduce the paper on vocabulary trimming',
    'Write a survey of active learning',
    'Please translate this document',
    'Make me a sandwich today',
    '复现这篇论文',
    '总结 /data/notes.csv',
  ])('%j is told plainly to be none', (sentence) => {
    verifies('page.one-box');
    expect(recognise(sentence).notYet).toBe(true);
  });

  test('the host of a repository is named, and of local ones there is none', () => {
    verifies('page.one-box');
    expect(hostOf('https://me@git.example.org:8443/a/b')).toBe('git.example.org:8443');
    expect(hostOf('git@host.example:a/b.git')).toBe('host.example');
    expect(hostOf('/home/me/model')).toBeUndefined();
    expect(hostOf('pypi:thing')).toBeUndefined();
    expect(hostOf('file:///home/me')).toBeUndefined();
  });
});
