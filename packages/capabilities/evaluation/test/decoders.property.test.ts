import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import type { DataEncoding } from '@assay/contracts';
import { assertProperty, verifies } from '@assay/testkit';
import { decoderOf } from '../src/data/decode/decoder-of.ts';

function decoded(encoding: DataEncoding, bytes: Buffer, cuts: readonly number[] = []) {
  const decoder = decoderOf(encoding);
  const parts: Buffer[] = [];
  let from = 0;
  for (const cut of [...cuts.filter((at) => at < bytes.length).sort((a, b) => a - b), bytes.length]) {
    parts.push(Buffer.from(decoder.decode(bytes.subarray(from, cut))));
    from = cut;
  }
  parts.push(Buffer.from(decoder.finish()));
  return { text: Buffer.concat(parts), bad: decoder.bad, first: decoder.firstBad };
}

/** Bytes in which broken and whole characters, separators and line ends are near one another. */
const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom(0x2c, 0x0a, 0x22, 0x41, 0x7e, 0x80, 0xa1, 0xc3, 0xe4, 0xb8, 0xad, 0x81, 0x30, 0xff, 0xf0, 0x9f),
      fc.nat(255),
    ),
    { maxLength: 60 },
  )
  .map((bytes) => Buffer.from(bytes));
const cuts = fc.array(fc.nat(60), { maxLength: 5 });

/** Encoded by Python: a text of each script, with separators and a line end. */
const byPython: readonly (readonly [DataEncoding, string, string])[] = [
  ['gb18030', '中文,\u{20000}\n€x', 'd6d0cec42c95328236 0aa2e378'],
  ['big5', '繁體,中文\nx', 'c163c5e92ca4a4a4e50a78'],
  ['shift_jis', '日本,ｶﾅ\nx', '93fa967b2cb6c50a78'],
  ['euc-jp', '日本,ｶﾅ\nx', 'c6fccbdc2c8eb68ec50a78'],
  ['euc-kr', '한국,어\nx', 'c7d1b1b92cbeee0a78'],
  ['windows-1252', '€“é”,ÿ\nŸ', '8093e9942cff0a9f'],
  ['windows-1250', 'Łódź,ż\n€', 'a3f3649f2cbf0a80'],
  ['windows-1251', 'Мир,ё\n№', 'cce8f02cb80ab9'],
  ['iso-8859-2', 'Łódź,ż\n', 'a3f364bc2cbf0a'],
  ['koi8-r', 'Мир,ё\n', 'edc9d22ca30a'],
  ['utf-16le', 'é,😀\n', 'e9002c003dd800de0a00'],
  ['utf-16be', 'é,😀\n', '00e9002cd83dde00000a'],
  ['utf-32le', 'é,😀\n', 'e90000002c00000000f601000a000000'],
  ['utf-32be', 'é,😀\n', '000000e90000002c0001f6000000000a'],
];

describe('decoders', () => {
  test('read what Python wrote, wherever it is cut', () => {
    verifies('data.decoded-exactly');
    for (const [encoding, text, hex] of byPython) {
      const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex');
      for (let cut = 0; cut < bytes.length; cut += 1)
        expect(decoded(encoding, bytes, [cut]), `${encoding} at ${cut}`).toEqual({
          text: Buffer.from(text),
          bad: 0,
          first: undefined,
        });
    }
  });

  test('mark what the platform replaces, and keep the rest as it is', async () => {
    verifies('data.decoded-exactly');
    await assertProperty(
      fc.asyncProperty(soup, cuts, async (bytes, at) => {
        const ours = decoded('utf-8', bytes, at);
        const theirs = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).replaceAll('\0', '\ufffd');
        const marked = ours.text.toString('latin1').replaceAll('\xff', '\xef\xbf\xbd');
        expect(Buffer.from(marked, 'latin1').toString('utf8')).toBe(theirs);
        expect(ours.bad).toBe(theirs.split('\ufffd').length - 1);
      }),
      { name: 'decode-utf-8', test: import.meta.url, numRuns: 1500 },
    );
  });

  test('agree with the platform on every whole text, and find the same first broken byte for every cut', async () => {
    verifies('data.decoded-exactly');
    const encodings = [
      'gb18030',
      'big5',
      'shift_jis',
      'euc-jp',
      'euc-kr',
      'windows-1251',
      'iso-8859-2',
      'koi8-r',
    ] as const;
    let whole = 0;
    await assertProperty(
      fc.asyncProperty(fc.constantFrom(...encodings), soup, cuts, async (encoding, bytes, at) => {
        const ours = decoded(encoding, bytes);
        expect(decoded(encoding, bytes, at)).toEqual(ours);
        const theirs = new TextDecoder(encoding).decode(bytes);
        if (ours.bad > 0) return;
        whole += 1;
        expect(ours.text.toString('utf8')).toBe(theirs);
      }),
      { name: 'decode-platform', test: import.meta.url, numRuns: 2500 },
    );
    expect(whole).toBeGreaterThan(100);
  });

  test('refuse no text that the platform can write in UTF-16, and lose none of it', async () => {
    verifies('data.decoded-exactly');
    await assertProperty(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 30 }), cuts, async (raw, at) => {
        const text = raw.replaceAll('\0', 'x');
        const little = Buffer.from(text, 'utf16le');
        for (const [encoding, bytes] of [
          ['utf-16le', little],
          ['utf-16be', Buffer.from(little).swap16()],
        ] as const)
          expect(decoded(encoding, bytes, at)).toEqual({ text: Buffer.from(text), bad: 0, first: undefined });
      }),
      { name: 'decode-utf-16', test: import.meta.url, numRuns: 500 },
    );
    const lone = decoded('utf-16le', Buffer.from('61003dd86200', 'hex'));
    expect(lone).toEqual({
      text: Buffer.from('61ff62', 'hex'),
      bad: 1,
      first: { offset: 2, kind: 'undecodable', hex: '3dd8' },
    });
  });
});
