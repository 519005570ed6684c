import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { profileDataset } from '../src/index.ts';
import { detectEncoding } from '../src/data/inspect/detect-encoding.ts';
import { dataFile } from './data-files.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const SURE = 0.7;

/** 红/蓝, 男/女, 好/坏, 高/低, 是/否 in GB18030, written by Python. */
const pairs = ['baec c0b6', 'c4d0 c5ae', 'bac3 bbb5', 'b8df b5cd', 'cac7 b7f1'].map((pair) => pair.split(' '));
/** 长度,宽度,类别 */
const header = hex('b3a4b6c8 2c bfedb6c8 2c c0e0b1f0 0a');

const rows = (labels: readonly string[], times: number) =>
  Buffer.concat(
    Array.from({ length: times }, (_, i) => [
      Buffer.from(`${i},${i % 7},`),
      hex(labels[i % 2]!),
      Buffer.from('\n'),
    ]).flat(),
  );

test('two labels of one Chinese character are never read in silence as letters of another script', async () => {
  verifies('data.encoding-pairs');
  for (const labels of pairs)
    for (const head of [Buffer.from('x,y,label\n'), header])
      for (const times of [2, 20]) {
        const guess = detectEncoding(Buffer.concat([head, rows(labels, times)]));
        expect({ labels, encoding: guess.encoding }).toEqual({ labels, encoding: 'gb18030' });
      }
  await using data = await dataFile('c.csv', Buffer.concat([header, rows(pairs[0]!, 20)]));
  await expect(profileDataset(data.path)).rejects.toMatchObject({
    code: 'dataset_encoding',
    why: expect.stringContaining('pairs') as string,
    hint: expect.stringContaining('--encoding gb18030') as string,
  });
  expect((await profileDataset(data.path, { encoding: 'gb18030' })).preview[0]).toEqual([0, 0, '红']);
});

/** Bytes written by Python, and what they are. */
const samples: readonly (readonly [name: string, bytes: string, encoding: string])[] = [
  ['да/не', 'e4e0 0a ede5 0a', 'windows-1251'],
  ['ДА/НО', 'c4c0 0a cdce 0a', 'windows-1251'],
  ['яблоко/груша', 'ffe1ebeeeaee 0a e3f0f3f8e0 0a', 'windows-1251'],
  ['赤/青 Shift_JIS', '90d4 0a 90c2 0a', 'shift_jis'],
  ['赤/青 EUC-JP', 'c0d6 0a c0c4 0a', 'euc-jp'],
  ['是/否 EUC-JP', 'c0a7 0a c8dd 0a', 'euc-jp'],
  ['是/否 Big5', 'ac4f 0a a75f 0a', 'big5'],
  ['紅/藍 Big5', 'acf5 0a c2c5 0a', 'big5'],
  ['빨강/파랑', 'bba1b0ad 0a c6c4b6fb 0a', 'euc-kr'],
  ['café/naïve', '636166e9 0a 6e61ef7665 0a', 'windows-1252'],
  ['Müller/Größe', '4dfc6c6c6572 0a 4772f6df65 0a', 'windows-1252'],
  ['créée/Größe', '6372e9e965 0a 4772f6df65 0a', 'windows-1252'],
];

test.each(samples)('%s is read right or asked about, once and often', (_name, bytes, encoding) => {
  verifies('data.encoding-pairs');
  for (const times of [1, 3, 12]) {
    const guess = detectEncoding(
      Buffer.concat([Buffer.from('label\n'), ...Array.from({ length: times }, () => hex(bytes))]),
    );
    expect(guess.confidence < SURE || guess.encoding === encoding, `${guess.encoding} ${guess.confidence}`).toBe(true);
    expect(guess.candidates.map((candidate) => candidate.encoding)).toContain(encoding);
  }
});

test('Western words with single letters beyond ASCII are still recognised', () => {
  verifies('data.encoding-pairs');
  for (const text of ['été\n', 'oui café\nnon thé\n', 'Müller\nKöln\n']) {
    const { encoding, confidence } = detectEncoding(Buffer.from(`x\n${text}`, 'latin1'));
    expect({ text, encoding, sure: confidence >= SURE }).toEqual({ text, encoding: 'windows-1252', sure: true });
  }
});

test('a target that is not there names the encoding that was guessed', async () => {
  verifies('data.encoding-pairs');
  await using data = await dataFile('w.csv', Buffer.from('größe,label\n1,été\n2,thé\n', 'latin1'));
  await expect(profileDataset(data.path, { target: '标签' })).rejects.toMatchObject({
    code: 'column_missing',
    why: expect.stringContaining('read as windows-1252, which was guessed') as string,
    hint: expect.stringContaining('--encoding NAME') as string,
  });
});
