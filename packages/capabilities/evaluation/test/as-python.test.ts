import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { CsvMachine } from '../src/data/csv-machine.ts';
import { decoderOf } from '../src/data/decode/decoder-of.ts';

/**
 * Awkward tables as Python's csv module (3.11, strict) reads them. Where it follows RFC 4180 there is one reading only.
 * Name, text, separator, rows with the header.
 */
const tables: readonly (readonly [string, string, string, readonly (readonly string[])[]])[] = [
  [
    'quoted separator',
    'a,b\n"x,y",1\n',
    ',',
    [
      ['a', 'b'],
      ['x,y', '1'],
    ],
  ],
  [
    'doubled quote',
    'a,b\n"say ""hi""",1\n',
    ',',
    [
      ['a', 'b'],
      ['say "hi"', '1'],
    ],
  ],
  [
    'quoted line end',
    'a,b\n"x\ny",1\n',
    ',',
    [
      ['a', 'b'],
      ['x\ny', '1'],
    ],
  ],
  [
    'quoted CRLF',
    'a,b\r\n"x\r\ny",1\r\n',
    ',',
    [
      ['a', 'b'],
      ['x\r\ny', '1'],
    ],
  ],
  [
    'quote inside a plain cell',
    'a,b\nx"y,1\n',
    ',',
    [
      ['a', 'b'],
      ['x"y', '1'],
    ],
  ],
  [
    'quotes inside a plain cell',
    'a,b\n5" x 3",1\n',
    ',',
    [
      ['a', 'b'],
      ['5" x 3"', '1'],
    ],
  ],
  [
    'empty cells',
    'a,b,c\n,,\n1,,3\n',
    ',',
    [
      ['a', 'b', 'c'],
      ['', '', ''],
      ['1', '', '3'],
    ],
  ],
  [
    'empty quoted cell',
    'a,b\n"",1\n',
    ',',
    [
      ['a', 'b'],
      ['', '1'],
    ],
  ],
  [
    'blanks around cells',
    'a,b\n x , 1 \n',
    ',',
    [
      ['a', 'b'],
      [' x ', ' 1 '],
    ],
  ],
  [
    'no last line end',
    'a,b\n1,2',
    ',',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'CR line ends',
    'a,b\r1,2\r3,4\r',
    ',',
    [
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
    ],
  ],
  [
    'mixed line ends',
    'a,b\n1,2\r\n3,4\r5,6\n',
    ',',
    [
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
    ],
  ],
  [
    'semicolons',
    'a;b\n1;x,y\n',
    ';',
    [
      ['a', 'b'],
      ['1', 'x,y'],
    ],
  ],
  [
    'tabs',
    'a\tb\nx y\t2\n',
    '\t',
    [
      ['a', 'b'],
      ['x y', '2'],
    ],
  ],
  [
    'pipes',
    'a|b\nx|y\n',
    '|',
    [
      ['a', 'b'],
      ['x', 'y'],
    ],
  ],
  [
    'Chinese',
    '\u59d3\u540d,\u57ce\u5e02\n\u5f20\u4e09,"\u5317\u4eac,\u4e0a\u6d77"\n',
    ',',
    [
      ['\u59d3\u540d', '\u57ce\u5e02'],
      ['\u5f20\u4e09', '\u5317\u4eac,\u4e0a\u6d77'],
    ],
  ],
  [
    'emoji',
    'a,b\n\ud83d\ude00,\ud83d\udc69\u200d\ud83d\udc69\u200d\ud83d\udc67\n',
    ',',
    [
      ['a', 'b'],
      ['\ud83d\ude00', '\ud83d\udc69\u200d\ud83d\udc69\u200d\ud83d\udc67'],
    ],
  ],
  [
    'combining marks',
    'a,b\ne\u0301,\u00e9\n',
    ',',
    [
      ['a', 'b'],
      ['e\u0301', '\u00e9'],
    ],
  ],
  [
    'right to left',
    'a,b\n\u05e9\u05dc\u05d5\u05dd,\u0645\u0631\u062d\u0628\u0627\n',
    ',',
    [
      ['a', 'b'],
      ['\u05e9\u05dc\u05d5\u05dd', '\u0645\u0631\u062d\u0628\u0627'],
    ],
  ],
  [
    'zero width',
    'a,b\nx\u200by,1\n',
    ',',
    [
      ['a', 'b'],
      ['x\u200by', '1'],
    ],
  ],
  [
    'non-breaking blank',
    'a,b\nx\u00a0y,1\n',
    ',',
    [
      ['a', 'b'],
      ['x\u00a0y', '1'],
    ],
  ],
  [
    'line separator U+2028',
    'a,b\nx\u2028y,1\n',
    ',',
    [
      ['a', 'b'],
      ['x\u2028y', '1'],
    ],
  ],
  [
    'next line U+0085',
    'a,b\nx\u0085y,1\n',
    ',',
    [
      ['a', 'b'],
      ['x\u0085y', '1'],
    ],
  ],
  [
    'vertical tab and form feed',
    'a,b\nx\u000by,z\fw\n',
    ',',
    [
      ['a', 'b'],
      ['x\u000by', 'z\fw'],
    ],
  ],
  [
    'backslash',
    'a,b\nc:\\dir\\,1\n',
    ',',
    [
      ['a', 'b'],
      ['c:\\dir\\', '1'],
    ],
  ],
  [
    'single quotes',
    "a,b\n'x',1\n",
    ',',
    [
      ['a', 'b'],
      ["'x'", '1'],
    ],
  ],
  [
    'formula',
    'a,b\n=1+1,@x\n',
    ',',
    [
      ['a', 'b'],
      ['=1+1', '@x'],
    ],
  ],
  [
    'only quotes',
    'a,b\n"""",1\n',
    ',',
    [
      ['a', 'b'],
      ['"', '1'],
    ],
  ],
  [
    'leading zeros',
    'a,b\n007,1\n',
    ',',
    [
      ['a', 'b'],
      ['007', '1'],
    ],
  ],
  [
    'beyond 2^53',
    'a,b\n9007199254740993,1\n',
    ',',
    [
      ['a', 'b'],
      ['9007199254740993', '1'],
    ],
  ],
  [
    'signs',
    'a,b\n+1,-1\n',
    ',',
    [
      ['a', 'b'],
      ['+1', '-1'],
    ],
  ],
  [
    'JSON in a cell',
    'a,b\n"{""k"": [1, 2]}",1\n',
    ',',
    [
      ['a', 'b'],
      ['{"k": [1, 2]}', '1'],
    ],
  ],
  [
    'comma at the end of a quoted cell',
    'a,b\n"x,",1\n',
    ',',
    [
      ['a', 'b'],
      ['x,', '1'],
    ],
  ],
  [
    'quoted header',
    '"a b","c,d"\n1,2\n',
    ',',
    [
      ['a b', 'c,d'],
      ['1', '2'],
    ],
  ],
  [
    'long cell',
    'a,b\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx,1\n',
    ',',
    [
      ['a', 'b'],
      ['xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', '1'],
    ],
  ],
  [
    'control characters',
    'a,b\nx\u0001y,\u007f\n',
    ',',
    [
      ['a', 'b'],
      ['x\u0001y', '\u007f'],
    ],
  ],
];

test('awkward tables are read as Python reads them, in UTF-8 and in UTF-16, cut anywhere', () => {
  verifies('data.as-python');
  expect(tables.length).toBeGreaterThanOrEqual(30);
  for (const [name, text, delimiter, expected] of tables)
    for (const encoding of ['utf-8', 'utf-16le'] as const)
      for (const size of [1, 7, 1000]) {
        const bytes = Buffer.from(text, encoding);
        const rows: string[][] = [];
        const decoder = decoderOf(encoding);
        const machine = new CsvMachine(delimiter.charCodeAt(0), (row) => {
          rows.push(
            Array.from({ length: row.count }, (_, i) => row.bytes.toString('utf8', row.starts[i], row.ends[i])),
          );
        });
        for (let at = 0; at < bytes.length; at += size) machine.feed(decoder.decode(bytes.subarray(at, at + size)));
        machine.feed(decoder.finish());
        machine.finish();
        expect(rows, `${name}, ${encoding}, pieces of ${size}`).toEqual(expected);
      }
});
