import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { verifies } from '@assay/testkit';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../apps/cli/src/program.ts';
import { Session } from '../apps/cli/src/session.ts';
import { testIo } from '../apps/cli/test/support/test-io.ts';
import { root } from './support/cli.ts';
import { codeOf, guideBlocks, isPrinted, userPages } from './support/guide-pages.ts';

const pages = userPages();
const program = buildProgram(new Session(testIo(), []));

describe('the documents for users', () => {
  it('name only commands and options that exist', () => {
    verifies('guide.commands-exist');
    const wrong: string[] = [];
    let seen = 0;
    for (const [path, page] of pages) {
      const { lines, inline } = codeOf(page);
      for (const code of [...lines, ...inline]) {
        const [, words] = /^(?:npx )?assay (.*)$/.exec(code.trim()) ?? [];
        if (words === undefined) continue;
        seen += 1;
        const problem = problemOf(words);
        if (problem !== undefined) wrong.push(`${path}: ${code}: ${problem}`);
      }
      for (const code of inline)
        if (/^--[a-z]/.test(code) && !everyOption().has(code.split(/[ =]/)[0]!)) wrong.push(`${path}: ${code}`);
    }
    expect(wrong).toEqual([]);
    expect(seen).toBeGreaterThan(60);
  });

  it('link to files that exist', () => {
    verifies('guide.commands-exist');
    const missing = [...pages].flatMap(([path, page]) =>
      [...page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !target.includes('://') && !existsSync(join(root, dirname(path), target)))
        .map((target) => `${path}: ${target}`),
    );
    expect(missing).toEqual([]);
  });

  it('name scripts of npm that exist', () => {
    verifies('guide.commands-exist');
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    const named = [...pages.values()].flatMap((page) =>
      [...page.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, name = '']) => name),
    );
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    expect(named).toContain('demo');
  });

  it('are all in the index of their language', () => {
    const pathsOf = (chinese: boolean) =>
      [...pages.keys()].filter((path) => path.startsWith('docs/guide/') && path.endsWith('.zh-CN.md') === chinese);
    for (const chinese of [false, true]) {
      const name = chinese ? 'README.zh-CN.md' : 'README.md';
      const index = pages.get(`docs/guide/${name}`)!;
      for (const path of pathsOf(chinese)) if (!path.endsWith(name)) expect(index).toContain(`(${path.slice(11)})`);
    }
  });

  it('let readers of every language type the same', () => {
    verifies('guide.commands-run');
    const [english, chinese] = ['docs/guide/benchmark.md', 'docs/guide/benchmark.zh-CN.md'].map((path) =>
      guideBlocks(pages.get(path)!),
    );
    expect(english!.length).toBeGreaterThanOrEqual(12);
    expect(chinese).toEqual(english);
  });
});

describe('a line that the guide shows', () => {
  it('must be printed whole, but for what varies and for blanks', () => {
    expect(isPrinted('metric  value', 'x\nmetric     value \n')).toBe(true);
    expect(isPrinted('time    … s of work', 'time    2.4 s of work')).toBe(true);
    expect(isPrinted('✓ 13 of 13 numbers', '✓ 13 of 13 numbers verified')).toBe(false);
    expect(isPrinted('accuracy 0.917', 'accuracy 0x917')).toBe(false);
  });
});

/** What is wrong with the words behind `assay`, or undefined. */
function problemOf(text: string): string | undefined {
  const spoken = text.replace(/"[^"]*"|'[^']*'/g, '…');
  const words = spoken.split(/\s+/).filter((word) => word !== '');
  if (/^[…<[-]/.test(words[0] ?? '…')) return undefined;
  let command: Command = program;
  for (const word of words) {
    const next: Command | undefined = command.commands.find((child) => child.name() === word);
    if (next === undefined) break;
    command = next;
  }
  if (command === program) return `there is no command ${words[0]}`;
  const known = new Set([...command.options.map(({ long }) => long), '--help']);
  const unknown = [...spoken.matchAll(/(?<=^|[\s[])--[a-z][a-z-]*/g)].find(([flag]) => !known.has(flag));
  return unknown === undefined ? undefined : `there is no option ${unknown[0]}`;
}

function everyOption(command: Command = program): Set<string> {
  const own = command.options.flatMap(({ long }) => long ?? []);
  return new Set([...own, '--help', ...command.commands.flatMap((child) => [...everyOption(child)])]);
}
