export interface License {
  /** SPDX id. Of a GNU licence the text alone does not say "or later", so it is the `-only` id. */
  readonly spdx: string;
  /** Path of the file that was recognised. */
  readonly file: string;
}

/** Sentences that stand in one licence text and not in its relatives; the first rule that holds wins. */
const rules: readonly { readonly spdx: string; readonly all: readonly string[]; readonly none?: readonly string[] }[] =
  [
    { spdx: 'Apache-2.0', all: ['apache license', 'version 2.0'] },
    { spdx: 'AGPL-3.0-only', all: ['gnu affero general public license', 'version 3'] },
    { spdx: 'LGPL-3.0-only', all: ['gnu lesser general public license', 'version 3'] },
    { spdx: 'LGPL-2.1-only', all: ['gnu lesser general public license', 'version 2.1'] },
    { spdx: 'GPL-3.0-only', all: ['gnu general public license', 'version 3'] },
    { spdx: 'GPL-2.0-only', all: ['gnu general public license', 'version 2'] },
    { spdx: 'MPL-2.0', all: ['mozilla public license', '2.0'] },
    { spdx: 'EPL-2.0', all: ['eclipse public license', 'v 2.0'] },
    { spdx: 'BSL-1.0', all: ['boost software license', 'version 1.0'] },
    { spdx: 'CC0-1.0', all: ['cc0 1.0 universal'] },
    { spdx: 'CC-BY-NC-SA-4.0', all: ['attribution-noncommercial-sharealike 4.0 international'] },
    { spdx: 'CC-BY-NC-4.0', all: ['attribution-noncommercial 4.0 international'] },
    { spdx: 'CC-BY-SA-4.0', all: ['attribution-sharealike 4.0 international'] },
    { spdx: 'CC-BY-4.0', all: ['attribution 4.0 international'] },
    { spdx: 'Unlicense', all: ['free and unencumbered software released into the public domain'] },
    { spdx: 'MIT', all: ['permission is hereby granted, free of charge', 'to whom the software is furnished'] },
    {
      spdx: 'ISC',
      all: ['permission to use, copy, modify, and/or distribute', 'copyright notice and this permission'],
    },
    {
      spdx: '0BSD',
      all: ['permission to use, copy, modify, and/or distribute'],
      none: ['copyright notice and this permission'],
    },
    {
      spdx: 'BSD-4-Clause',
      all: ['redistribution and use in source and binary forms', 'all advertising materials mentioning'],
    },
    {
      spdx: 'BSD-3-Clause',
      all: ['redistribution and use in source and binary forms', 'used to endorse or promote products'],
    },
    { spdx: 'BSD-2-Clause', all: ['redistribution and use in source and binary forms'] },
    { spdx: 'Zlib', all: ['the origin of this software must not be misrepresented'] },
  ];

/** The files that hold a repository's licence, by their name. */
export function isLicenseFile(path: string): boolean {
  return /^(un)?licen[cs]e([-.].*)?$|^copying([-.].*)?$/i.test(path);
}

/** The SPDX id of a licence text, from its `SPDX-License-Identifier` line or its wording; undefined when unknown. */
export function recogniseLicense(text: string): string | undefined {
  const declared = /SPDX-License-Identifier:\s*([A-Za-z0-9.+-]+)/.exec(text)?.[1];
  if (declared !== undefined) return declared;
  const plain = text.toLowerCase().replace(/\s+/g, ' ');
  const holds = (sentence: string) => plain.includes(sentence);
  return rules.find((rule) => rule.all.every(holds) && !(rule.none ?? []).some(holds))?.spdx;
}
