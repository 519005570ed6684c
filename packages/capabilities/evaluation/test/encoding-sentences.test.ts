import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { detectEncoding } from '../src/data/inspect/detect-encoding.ts';
import { decoderOf } from '../src/data/decode/decoder-of.ts';
import type { DataEncoding } from '@assay/contracts';

/** Small files with real sentences, names and labels, written by Python: what they are, their second line, their bytes. */
const files: readonly (readonly [name: string, encoding: DataEncoding, line: string, bytes: string])[] = [
  [
    '三条评论，GB18030',
    'gb18030',
    '这家店的服务很好,好评',
    'c6c0c2db2cb1eac7a90ad5e2bcd2b5eab5c4b7fecef1badcbac32cbac3c6c00ab6abcef7ccabb2eec1cbb2bbbbe1d4d9c2f22cb2eec6c00aceefc1f7badcbfecb0fcd7b0d2b2b2bbb4ed2cbac3c6c00a',
  ],
  [
    '朱镕基、张堃、李喆: hanzi outside of GB2312',
    'gb18030',
    '朱镕基,是',
    'd0d5c3fb2cbde1b9fb0ad6ece946bbf92ccac70ad5c588d22cb7f10ac0ee86b42ccac70acdf5ab682cb7f10ab3c2954e2ccac70ac1d687e52cb7f10a',
  ],
  [
    '繁體評論 in GBK',
    'gb18030',
    '這家餐廳的服務很好,好評',
    'd475d5932c98cbbb600adf40bcd2b2cd8f64b5c4b7fe84d5badcbac32cbac3d4750a967ccef7ccabd946c1cbb2bb95fed4d981ed2cb2eed4750aad68beb3839ed1c5df6dbacfbedb95fe2cbac3d4750a',
  ],
  [
    '繁體評論 in Big5',
    'big5',
    '這家餐廳的服務很好,好評',
    'b5fbbdd72cbcd0c5d20ab36fae61c05cc655aabaaa41b0c8abdca66e2ca66eb5fb0aaa46a6e8a4d3b651a446a4a3b77ca641a8d32cae74b5fb0ac0f4b9d2c075b6aebe41a658bb45b77c2ca66eb5fb0a',
  ],
  [
    '男/女 in Big5',
    'big5',
    '0,女',
    '69642cc3fea74f0a302ca46b0a312ca86b0a322ca46b0a332ca86b0a342ca46b0a352ca86b0a362ca46b0a372ca86b0a382ca46b0a392ca86b0a31302ca46b0a31312ca86b0a31322ca46b0a31332ca86b0a31342ca46b0a31352ca86b0a31362ca46b0a31372ca86b0a31382ca46b0a31392ca86b0a',
  ],
  [
    '陳小明 in Big5',
    'big5',
    '陳小明,是',
    'a96da6572cb5b2aa470ab3afa470a9fa2cac4f0aaa4cacfcb4662ca75f0ab6c0a7d3b0b62cac4f0ab169b251aae22ca75f0a',
  ],
  [
    'とても良い商品でした in Shift_JIS',
    'shift_jis',
    'とても良い商品でした,良い',
    '838c83728385815b2c83898378838b0a82c682c482e097c782a28fa4956982c582b582bd2c97c782a20a93f1937882c6948382a282dc82b982f12c88ab82a20a947a919782aa918182ad82c48f9582a982e882dc82b582bd2c97c782a20a',
  ],
  [
    '田中太郎 in Shift_JIS',
    'shift_jis',
    '田中太郎,合格',
    '96bc914f2c8c8b89ca0a9363928691be98592c8d878a690a97e996d889d48e712c95738d878a690a8db293a188ea98592c8d878a690a8d828bb48c9291be2c95738d878a690a',
  ],
  ['ﾀﾅｶ in Shift_JIS', 'shift_jis', 'ﾀﾅｶ,ﾖｲ', 'c5cfb42cb9afb60ac0c5b62cd6b20abdbddeb72cdcd9b20abbc4b32cd6b20a'],
  [
    '田中太郎 in EUC-JP',
    'euc-jp',
    '田中太郎,合格',
    'ccbec1b02cb7ebb2cc0ac5c4c3e6c2c0cfba2cb9e7b3ca0aceebccdab2d6bbd22cc9d4b9e7b3ca0abab4c6a3b0eccfba2cb9e7b3ca0ab9e2b6b6b7f2c2c02cc9d4b9e7b3ca0a',
  ],
  [
    '정말 좋은 제품이에요 in EUC-KR',
    'euc-kr',
    '정말 좋은 제품이에요,긍정',
    'b8aebae42cb6f3baa70ac1a4b8bb20c1c1c0ba20c1a6c7b0c0ccbfa1bfe42cb1e0c1a40ab4d9bdc3b4c220bbe7c1f620becab0dabdc0b4cfb4d92cbacec1a40ab9e8bcdbc0cc20bba1b6f3bcad20c1c1bed2beeebfe42cb1e0c1a40a',
  ],
  [
    '남/여 in EUC-KR',
    'euc-kr',
    '0,여',
    'b9f8c8a32cbcbabab00a302cbfa90a312cb3b20a322cbfa90a332cb3b20a342cbfa90a352cb3b20a362cbfa90a372cb3b20a382cbfa90a392cb3b20a31302cbfa90a31312cb3b20a31322cbfa90a31332cb3b20a31342cbfa90a31352cb3b20a31362cbfa90a31372cb3b20a31382cbfa90a31392cb3b20a',
  ],
  [
    '晴/雨/阴/雪',
    'gb18030',
    '0,晴',
    '6461792c776561746865720a302cc7e70a312cd3ea0a322cd2f50a332cd1a90a342cc7e70a352cd3ea0a362cd2f50a372cd1a90a382cc7e70a392cd3ea0a31302cd2f50a31312cd1a90a31322cc7e70a31332cd3ea0a31342cd2f50a31352cd1a90a31362cc7e70a31372cd3ea0a31382cd2f50a31392cd1a90a32302cc7e70a32312cd3ea0a32322cd2f50a32332cd1a90a32342cc7e70a32352cd3ea0a32362cd2f50a32372cd1a90a32382cc7e70a32392cd3ea0a33302cd2f50a33312cd1a90a33322cc7e70a33332cd3ea0a33342cd2f50a33352cd1a90a33362cc7e70a33372cd3ea0a33382cd2f50a33392cd1a90a',
  ],
];

test.each(files)('%s is read right, or asked about with a sample of how it reads', (_name, encoding, line, bytes) => {
  verifies('data.encoding-pairs');
  const head = Buffer.from(bytes, 'hex');
  const guess = detectEncoding(head);
  const decoder = decoderOf(encoding);
  const text = Buffer.concat([decoder.decode(head), decoder.finish()]).toString('utf8');
  expect(text.split('\n')[1]).toBe(line);
  if (guess.confidence >= 0.7) expect(guess.encoding).toBe(encoding);
  const candidate = guess.candidates.find((one) => one.encoding === encoding);
  expect(candidate, `${guess.encoding} ${guess.confidence}`).toBeDefined();
  // Whole words of the file, so that whoever reads its language can choose at once.
  expect(text).toContain(candidate!.line);
  expect(candidate!.line).toMatch(/[^ -~]/);
});

test('sentences in Chinese, Japanese and Korean are not asked about', () => {
  verifies('data.encoding-pairs');
  const sure = files.filter(([, encoding, , bytes]) => {
    const guess = detectEncoding(Buffer.from(bytes, 'hex'));
    return guess.confidence >= 0.7 && guess.encoding === encoding;
  });
  expect(sure.length).toBeGreaterThanOrEqual(7);
});

test('hangul outside of KS X 1001, which EUC-KR does not have, are never read as something else', () => {
  verifies('data.encoding-pairs');
  // 똠방각하, 뷁, 햏햏 in CP949
  const head = Buffer.from('c0ccb8a72cb0e1b0fa0a8c63b9e6b0a2c7cf2cbfb90a94ee2cbec6b4cfbfc00ac164c1642cbfb90a', 'hex');
  expect(detectEncoding(head).confidence).toBeLessThan(0.7);
  const decoder = decoderOf('euc-kr');
  decoder.decode(head);
  expect(decoder.bad).toBeGreaterThan(0);
});
