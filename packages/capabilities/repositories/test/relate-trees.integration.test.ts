import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder, verifies } from '@assay/testkit';
import { relateTrees, type TreeRelation } from '../src/index.ts';

type Files = Readonly<Record<string, string>>;

const model = `"""A model."""
import random

SEED = 3


def predict(row):
    # by chance
    random.seed(SEED)
    return "a" if random.random() < 0.5 else "b"
`;

async function relate(first: Files, second: Files): Promise<TreeRelation> {
  await using folder = await temporaryFolder();
  for (const [name, files] of [
    ['first', first],
    ['second', second],
  ] as const)
    for (const [path, content] of Object.entries({ 'empty.py': '', ...files })) {
      await mkdir(dirname(join(folder.path, name, path)), { recursive: true });
      await writeFile(join(folder.path, name, path), content);
    }
  return await relateTrees(join(folder.path, 'first'), join(folder.path, 'second'));
}

/** The relation of two texts of one Python file. */
async function relatePython(first: string, second: string): Promise<string> {
  return (await relate({ 'model.py': first }, { 'model.py': second })).relation;
}

describe('two trees', () => {
  test('with the same bytes are the same, whatever their times and modes', async () => {
    verifies('compare.same-code-recognised');
    expect(await relate({ 'model.py': model }, { 'model.py': model })).toEqual({ relation: 'same', files: [] });
    await using folder = await temporaryFolder();
    for (const name of ['a', 'b']) {
      await mkdir(join(folder.path, name));
      await writeFile(join(folder.path, name, 'x.bin'), Buffer.from([0, 255]));
      await symlink('x.bin', join(folder.path, name, 'link'));
    }
    await chmod(join(folder.path, 'a', 'x.bin'), 0o755);
    expect((await relateTrees(join(folder.path, 'a'), join(folder.path, 'b'))).relation).toBe('same');
  });

  test('that differ in comments, docstrings, white space or documents have the same code', async () => {
    verifies('compare.same-code-recognised');
    const spaced = model
      .replace('"""A model."""', "'''Another\n# text.'''\n\n")
      .replace('    # by chance\n', '    """Of course."""\n\n')
      .replace('random.seed(SEED)', 'random . seed(\n        SEED\n    )  # as said')
      .replaceAll('\n    ', '\n\t')
      .replaceAll('\n', '\r\n');
    expect(await relatePython(model, spaced)).toBe('same_tokens');
    const documented = await relate({ 'model.py': model, 'README.md': 'old' }, { 'model.py': model, LICENSE: 'MIT' });
    expect(documented).toEqual({ relation: 'same_tokens', files: ['LICENSE', 'README.md'] });
  });

  test('that differ in seeds alone are said to do so', async () => {
    verifies('compare.seed-only-recognised');
    expect(await relatePython(model, model.replace('SEED = 3', 'SEED = 41  # better'))).toBe('seed_only');
    for (const [first, second] of [
      ['x = fit(data, random_state=1)', 'x = fit(data, random_state=22)'],
      ['random.seed(1)', 'random.seed(-5)'],
      ['rng = np.random.default_rng(0)', 'rng = np.random.default_rng(0x10)'],
      ['def f(x, seed: int = 1): return x', 'def f(x, seed: int = 2): return x'],
      ['SEEDS = [1, 2, 3]', 'SEEDS = [4, 5, 6]'],
      ['options = {"seed": 1}', 'options = {"seed": 2}'],
    ] as const)
      expect(await relatePython(first, second), first).toBe('seed_only');
    expect(await relate({ 'config.yaml': 'seed: 1\nrate: 2\n' }, { 'config.yaml': 'seed: 9\nrate: 2\n' })).toEqual({
      relation: 'seed_only',
      files: ['config.yaml'],
    });
  });

  test('that differ in anything else are different, and the files are named', async () => {
    verifies('compare.seed-only-recognised');
    for (const [first, second] of [
      ['x = 1', 'x = 2'],
      ['rate = 1', 'rate = 1.5'],
      ['if seed == 1: x()', 'if seed == 2: x()'],
      ['seed = 1', 'seed = f(1)'],
      ['SEEDS = [1, 2]', 'SEEDS = [1, 2, 3]'],
      ['s = "a # b"', 's = "a # c"'],
      ['x = "a  b"', 'x = "a b"'],
      ['if a:\n  b()\n  c()', 'if a:\n  b()\nc()'],
      ['x = f"{a}"\nf"{b()}"', 'x = f"{a}"'],
      ['a = b\n(c)', 'a = b (c)'],
    ] as const)
      expect(await relatePython(first, second), second).toBe('different');
    expect(await relate({ 'w.bin': 'a', 'README.md': 'a' }, { 'w.bin': 'b', 'README.md': 'b' })).toEqual({
      relation: 'different',
      files: ['w.bin'],
    });
    expect((await relate({ 'c.yaml': 'seed: 1\nrate: 2\n' }, { 'c.yaml': 'seed: 1\nrate: 3\n' })).relation).toBe(
      'different',
    );
    expect(await relate({ 'a.py': '' }, { 'b.py': '' })).toMatchObject({
      relation: 'different',
      files: ['a.py', 'b.py'],
    });
  });

  test('of one long string are read in a moment', async () => {
    verifies('compare.same-code-recognised');
    const long = `x = """${'ab"" \\" '.repeat(200_000)}"""`;
    expect(await relatePython(long, `${long}  # end`)).toBe('same_tokens');
    expect(await relatePython(`${long}\n"""open`, `${long}\n'''open # x`)).toBe('same_tokens');
  });
});
