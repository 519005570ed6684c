export interface License {
  /** SPDX id. Of a GNU licence the text alone does not say "or later", so it is the `-only` id. */
  readonly spdx: string;
  /** Path of the file that was recognised. */
  readonly file: string;
}

interface Rule {
  readonly spdx: string;
  /** The title of a licence whose text names other licences: all of it stands at the head of the file. */
  readonly title?: readonly string[];
  /** Sentences of the text, the first of them its beginning. */
  readonly all?: readonly string[];
  readonly none?: readonly string[];
}

const BSD = 'redistribution and use in source and binary forms';
const MIT = 'permission is hereby granted, free of charge';
const ISC = 'permission to use, copy, modify, and/or distribute';

const rules: readonly Rule[] = [
  { spdx: 'AGPL-3.0-only', title: ['gnu affero general public license', 'version 3'] },
  { spdx: 'LGPL-3.0-only', title: ['gnu lesser general public license', 'version 3'] },
  { spdx: 'LGPL-2.1-only', title: ['gnu lesser general public license', 'version 2.1'] },
  { spdx: 'LGPL-2.0-only', title: ['gnu library general public license', 'version 2'] },
  { spdx: 'GPL-3.0-only', title: ['gnu general public license', 'version 3'] },
  { spdx: 'GPL-2.0-only', title: ['gnu general public license', 'version 2'] },
  { spdx: 'GPL-1.0-only', title: ['gnu general public license', 'version 1'] },
  { spdx: 'Apache-2.0', title: ['apache license', 'version 2.0'] },
  { spdx: 'MPL-2.0', title: ['mozilla public license', '2.0'] },
  { spdx: 'MPL-1.1', title: ['mozilla public license', '1.1'] },
  { spdx: 'EPL-2.0', title: ['eclipse public license', 'v 2.0'] },
  { spdx: 'EPL-1.0', title: ['eclipse public license', 'v 1.0'] },
  { spdx: 'EUPL-1.2', title: ['european union public licence', '1.2'] },
  { spdx: 'CDDL-1.0', title: ['common development and distribution license', '1.0'] },
  { spdx: 'BSL-1.0', title: ['boost software license', 'version 1.0'] },
  { spdx: 'MulanPSL-2.0', title: ['木兰宽松许可证', '第2版'] },
  { spdx: 'MulanPSL-2.0', title: ['mulan permissive software license', 'version 2'] },
  { spdx: 'Artistic-2.0', title: ['artistic license 2.0'] },
  { spdx: 'OFL-1.1', title: ['sil open font license', 'version 1.1'] },
  { spdx: 'BlueOak-1.0.0', title: ['blue oak model license'] },
  { spdx: 'WTFPL', title: ['do what the fuck you want to public license'] },
  { spdx: 'NCSA', title: ['university of illinois/ncsa'] },
  { spdx: 'Python-2.0', all: ['python software foundation license version 2'] },
  { spdx: 'CC0-1.0', title: ['cc0 1.0 universal'] },
  { spdx: 'CC-BY-NC-ND-4.0', title: ['attribution-noncommercial-noderivatives 4.0 international'] },
  { spdx: 'CC-BY-NC-SA-4.0', title: ['attribution-noncommercial-sharealike 4.0 international'] },
  { spdx: 'CC-BY-NC-4.0', title: ['attribution-noncommercial 4.0 international'] },
  { spdx: 'CC-BY-ND-4.0', title: ['attribution-noderivatives 4.0 international'] },
  { spdx: 'CC-BY-SA-4.0', title: ['attribution-sharealike 4.0 international'] },
  { spdx: 'CC-BY-4.0', title: ['attribution 4.0 international'] },
  { spdx: 'Unlicense', all: ['free and unencumbered software released into the public domain'] },
  { spdx: 'MIT', all: [MIT, 'to whom the software is furnished'] },
  { spdx: 'ISC', all: [ISC, 'copyright notice and this permission'] },
  { spdx: '0BSD', all: [ISC], none: ['copyright notice and this permission'] },
  { spdx: 'BSD-4-Clause', all: [BSD, 'all advertising materials mentioning'] },
  { spdx: 'BSD-3-Clause-Clear', all: [BSD, 'no express or implied licenses to any party'] },
  { spdx: 'BSD-3-Clause', all: [BSD, 'to endorse or promote products'] },
  { spdx: 'BSD-2-Clause', all: [BSD], none: ['must display the following acknowledg'] },
  { spdx: 'Zlib', all: ['the origin of this software must not be misrepresented'] },
  {
    spdx: 'PostgreSQL',
    all: [
      'permission to use, copy, modify, and distribute this software and its documentation for any purpose, without fee',
    ],
  },
];

const HEAD = 600;
/** A short licence ends within this many characters; what stands behind it is another one. */
const BODY = 4000;

/** The files that hold a repository's licence, by their path: at the top, in `LICENSES/`, and in a wheel's data. */
export function isLicenseFile(path: string): boolean {
  const place = path.replace(/^[^/]+\.dist-info\/(licenses\/)?/, '');
  return /^(un)?licen[cs]e([-._].*)?$|^copying([-._].*)?$|^LICENSES\/[^/]+\.txt$/i.test(place) && !/\.py$/i.test(place);
}

/**
 * The SPDX id of a licence text, from its `SPDX-License-Identifier` line or its wording; undefined when unknown. In a
 * file with several licences, as of bundled code, the first one counts.
 */
export function recogniseLicense(text: string): string | undefined {
  const declared = /SPDX-License-Identifier:\s*([A-Za-z0-9.+-]+)/.exec(text)?.[1];
  if (declared !== undefined) return declared;
  const plain = text
    .toLowerCase()
    .replaceAll(/[*#"“”_>]+/g, ' ')
    .replaceAll(/\s+/g, ' ');
  const head = plain.slice(0, HEAD);
  let best: { readonly at: number; readonly spdx: string } | undefined;
  for (const rule of rules) {
    const at = rule.title === undefined ? bodyAt(plain, rule) : titleAt(head, rule.title);
    if (at !== undefined && (best === undefined || at < best.at)) best = { at, spdx: rule.spdx };
  }
  return best?.spdx;
}

function titleAt(head: string, title: readonly string[]): number | undefined {
  return title.every((words) => head.includes(words)) ? head.indexOf(title[0]!) : undefined;
}

function bodyAt(plain: string, { all = [], none = [] }: Rule): number | undefined {
  const at = plain.indexOf(all[0] ?? '\0');
  if (at < 0) return undefined;
  const body = plain.slice(at, at + BODY);
  return all.every((words) => body.includes(words)) && !none.some((words) => body.includes(words)) ? at : undefined;
}

const known = new Set(rules.map(({ spdx }) => spdx.toLowerCase()));

/** Files in which a Python project says its licence in one word. */
export function isLicenseMetadata(path: string): boolean {
  return /^(pyproject\.toml|setup\.cfg|PKG-INFO|[^/]+\.dist-info\/METADATA)$/.test(path);
}

/** The SPDX id that metadata declares (`license = "MIT"`, `License-Expression: MIT`); undefined for anything looser. */
export function declaredLicense(text: string): string | undefined {
  const pattern = /^license(?:-expression)?\s*[=:]\s*(?:\{\s*text\s*=\s*)?["']?([a-z0-9.+-]+)["']?\s*\}?\s*$/gim;
  const id = [...text.slice(0, 100_000).matchAll(pattern)]
    .map((match) => match[1]!)
    .find((one) => known.has(one.toLowerCase()));
  return id === undefined ? undefined : rules.find(({ spdx }) => spdx.toLowerCase() === id.toLowerCase())?.spdx;
}
