import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { verifies } from '@assay/testkit';
import { declaredLicense, isLicenseFile, recogniseLicense } from '../src/license.ts';

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
    [
      'GNU GENERAL PUBLIC LICENSE\n Version 3, 29 June 2007' +
        ' text'.repeat(200) +
        'combined with the GNU Affero General Public License, version 3',
      'GPL-3.0-only',
    ],
    [
      'Mozilla Public License Version 2.0' + ' text'.repeat(200) + 'GNU Affero General Public License, Version 3.0',
      'MPL-2.0',
    ],
    ['GNU LIBRARY GENERAL PUBLIC LICENSE\n Version 2, June 1991', 'LGPL-2.0-only'],
    ['木兰宽松许可证, 第2版\n\n2020年1月', 'MulanPSL-2.0'],
    [
      'Redistribution and use in source and binary forms … to endorse or promote products' +
        ' text'.repeat(1000) +
        'Permission is hereby granted, free of charge … to whom the Software is furnished',
      'BSD-3-Clause',
    ],
    ['This software is made available under the terms of either of two licenses', undefined],
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
    ['LICENSES/MIT.txt', true],
    ['model-1.0.dist-info/licenses/LICENSE.txt', true],
    ['license.py', false],
  ])('%s is a licence file: %s', (path, expected) => {
    expect(isLicenseFile(path)).toBe(expected);
  });

  it.each<readonly [string, string | undefined]>([
    ['[project]\nname = "x"\nlicense = "MIT"\n', 'MIT'],
    ['license = {text = "BSD-3-Clause"}\n', 'BSD-3-Clause'],
    ['Name: x\nLicense-Expression: apache-2.0\n', 'Apache-2.0'],
    ['license = {file = "LICENSE"}\n', undefined],
    ['license = "some words of ours"\n', undefined],
  ])('metadata %j declares %s', (text, spdx) => {
    verifies('repository.manifest');
    expect(declaredLicense(text)).toBe(spdx);
  });
});
