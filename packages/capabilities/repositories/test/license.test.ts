import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { verifies } from '@assay/testkit';
import { isLicenseFile, recogniseLicense } from '../src/license.ts';

describe('recognising a licence', () => {
  it.each<readonly [text: string, spdx: string | undefined]>([
    [
      '                                 Apache License\n                           Version 2.0, January 2004',
      'Apache-2.0',
    ],
    ['GNU GENERAL PUBLIC LICENSE\n Version 3, 29 June 2007', 'GPL-3.0-only'],
    ['GNU GENERAL PUBLIC LICENSE\n Version 2, June 1991', 'GPL-2.0-only'],
    ['GNU LESSER GENERAL PUBLIC LICENSE\n Version 3, 29 June 2007', 'LGPL-3.0-only'],
    ['GNU AFFERO GENERAL PUBLIC LICENSE\nVersion 3', 'AGPL-3.0-only'],
    ['Mozilla Public License Version 2.0', 'MPL-2.0'],
    ['Creative Commons Legal Code\n\nCC0 1.0 Universal', 'CC0-1.0'],
    ['Attribution-NonCommercial 4.0 International', 'CC-BY-NC-4.0'],
    ['Attribution 4.0 International', 'CC-BY-4.0'],
    [
      'Permission to use, copy, modify, and/or distribute this software … provided that the above\ncopyright notice and this permission notice appear',
      'ISC',
    ],
    ['Permission to use, copy, modify, and/or distribute this software for any purpose', '0BSD'],
    ['# SPDX-License-Identifier: EUPL-1.2', 'EUPL-1.2'],
    ['All rights reserved. You may look at this code.', undefined],
    ['', undefined],
  ])('%.40s → %s', (text, spdx) => {
    verifies('repository.manifest');
    expect(recogniseLicense(text)).toBe(spdx);
  });

  it('knows the licence files of the examples', () => {
    const read = (path: string) => readFileSync(new URL(`../../../../examples/${path}`, import.meta.url), 'utf8');
    expect(recogniseLicense(read('penguins-classifier/LICENSE'))).toBe('MIT');
    expect(recogniseLicense(read('diabetes/LICENSE'))).toBe('BSD-3-Clause');
    expect(recogniseLicense(read('penguins/LICENSE'))).toBe('CC0-1.0');
  });

  it.each<readonly [string, boolean]>([
    ['LICENSE', true],
    ['LICENCE.md', true],
    ['license.txt', true],
    ['COPYING', true],
    ['UNLICENSE', true],
    ['LICENSE-MIT', true],
    ['licenses.py', false],
    ['sub/LICENSE', false],
  ])('%s is a licence file: %s', (path, expected) => {
    expect(isLicenseFile(path)).toBe(expected);
  });
});
