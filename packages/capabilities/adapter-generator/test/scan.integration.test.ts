import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder, verifies } from '@assay/testkit';
import { parseScan, type ScanResult } from '../src/index.ts';
import { scanFolder } from './support/python.ts';

type Files = Readonly<Record<string, string | Buffer>>;

async function scanned(files: Files, prepare?: (folder: string) => Promise<void>): Promise<ScanResult> {
  await using folder = await temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder.path, path, '..'), { recursive: true });
    await writeFile(join(folder.path, path), content);
  }
  await prepare?.(folder.path);
  return parseScan(await scanFolder(folder.path));
}

describe('the scanner', () => {
  it('runs nothing of what it reads', async () => {
    verifies('adapter.scan-runs-nothing');
    await using outside = await temporaryFolder();
    const trap = join(outside.path, 'ran');
    const code = `open(${JSON.stringify(trap)}, "w").write("x")\n`;
    await scanned({ 'model.py': code, 'sitecustomize.py': code, 'ast.py': code, 'json.py': code, '__init__.py': code });
    const found = execFileSync('ls', [outside.path], { encoding: 'utf8' });
    expect(found).toBe('');
  });

  it('survives files that Python cannot read', async () => {
    verifies('adapter.scan-survives');
    const scan = await scanned({
      'broken.py': 'def f(:\n',
      'nul.py': 'x = 1\0\n',
      'deep.py': `x = ${'('.repeat(3000)}1${')'.repeat(3000)}\n`,
      'nested.py': `x = ${'-'.repeat(100_000)}1\n`,
      'latin.py': Buffer.from(
        '# -*- coding: latin-1 -*-\nname = "caf\xe9"\ndef predict(text):\n    return text\n',
        'latin1',
      ),
      'utf8bom.py': '\ufeffdef classify(text):\n    return text\n',
      'cookie.py': '# -*- coding: no-such-codec -*-\nx = 1\n',
      'large.py': `x = "${'a'.repeat(4_300_000)}"\n`,
      'good.py': 'def f(): return 1\n',
    });
    expect(scan.modules.map((module) => module.path)).toEqual(['good.py', 'latin.py', 'utf8bom.py']);
    expect(scan.errors.map((error) => error.path)).toEqual([
      'broken.py',
      'cookie.py',
      'deep.py',
      'nested.py',
      'nul.py',
    ]);
    expect(scan.skipped).toEqual([{ path: 'large.py', reason: 'is larger than 4194304 bytes' }]);
    expect(scan.limit).toBeNull();
  });

  it('follows no links and opens no pipes', async () => {
    verifies('adapter.scan-survives');
    const scan = await scanned({ 'a.py': 'x = 1\n' }, async (folder) => {
      await symlink('/etc/passwd', join(folder, 'passwd.py'));
      await symlink(folder, join(folder, 'loop'));
      execFileSync('mkfifo', [join(folder, 'pipe.py')]);
    });
    expect(scan.modules.map((module) => module.path)).toEqual(['a.py']);
    expect(scan.skipped).toEqual([{ path: 'passwd.py', reason: 'is a link' }]);
  });

  it('stops at its bound and says so', async () => {
    verifies('adapter.scan-bounded');
    const scan = await scanned({}, async (folder) => {
      for (let at = 0; at < 5001; at += 1) await writeFile(join(folder, `m${at}.py`), '');
    });
    expect(scan.modules).toHaveLength(5000);
    expect(scan.limit).toBe('more than 5000 Python files');
  });

  it('leaves out environments, caches and hidden folders', async () => {
    const scan = await scanned({
      'a.py': '',
      '.hidden/b.py': '',
      'env/pyvenv.cfg': '',
      'env/lib/c.py': '',
      'node_modules/d.py': '',
      'x/__pycache__/e.py': '',
      'x/f.py': '',
    });
    expect(scan.modules.map((module) => module.path)).toEqual(['a.py', 'x/f.py']);
  });

  it('names modules as they must be imported', async () => {
    const scan = await scanned({
      'script.py': '',
      'src/pkg/__init__.py': '',
      'src/pkg/deep/__init__.py': '',
      'src/pkg/deep/mod.py': '',
      'loose/plain.py': 'import script\n',
      'loose/relative.py': 'from . import plain\n',
    });
    expect(scan.modules.map(({ path, module, importRoot }) => [path, importRoot, module])).toEqual([
      ['script.py', '', 'script'],
      ['loose/plain.py', 'loose', 'plain'],
      ['loose/relative.py', '', 'loose.relative'],
      ['src/pkg/__init__.py', 'src', 'pkg'],
      ['src/pkg/deep/__init__.py', 'src', 'pkg.deep'],
      ['src/pkg/deep/mod.py', 'src', 'pkg.deep.mod'],
    ]);
  });

  it('describes a function and how its parameters are used', async () => {
    const source = [
      'def predict(rows, *, limit: int = 3):',
      '    """Labels."""',
      '    return [one(row) for row in rows[:limit]]',
      '',
      'def one(row):',
      '    return row["age"] > 3 and row.get("name", "").lower()',
    ].join('\n');
    const [module] = (await scanned({ 'm.py': source })).modules;
    expect(module?.functions).toEqual([
      {
        name: 'predict',
        line: 1,
        isAsync: false,
        params: [
          {
            name: 'rows',
            kind: 'positional',
            hasDefault: false,
            annotation: null,
            uses: { marks: ['iterated', 'sliced'], element: { passedTo: [{ to: 'one', at: 0 }] } },
          },
          { name: 'limit', kind: 'keyword', hasDefault: true, annotation: 'int' },
        ],
        returnAnnotation: null,
        returns: ['list'],
        decorators: [],
        docstring: 'Labels.',
        gives: [],
        globals: [],
        isStub: false,
      },
      {
        name: 'one',
        line: 5,
        isAsync: false,
        params: [
          {
            name: 'row',
            kind: 'positional',
            hasDefault: false,
            annotation: null,
            uses: { keys: ['age'], optionalKeys: ['name'], methods: ['get'] },
          },
        ],
        returnAnnotation: null,
        returns: ['bool'],
        decorators: [],
        docstring: '',
        gives: [],
        globals: [],
        isStub: false,
      },
    ]);
  });

  it('tells what importing a module does, and not what calling it does', async () => {
    const source = [
      'import time',
      'def f():',
      '    input()',
      'try:',
      '    time.sleep(1)',
      'except Exception:',
      '    pass',
      'if __name__ == "__main__":',
      '    input()',
    ].join('\n');
    const [module] = (await scanned({ 'm.py': source })).modules;
    expect(module?.atImport).toEqual([{ line: 5, what: 'sleeps' }]);
    expect(module?.isProgram).toBe(true);
  });

  it.each([0, 2, 4, 5])(
    'reads what a pickle of protocol %i imports, also names that it fetches from its memo',
    async (protocol) => {
      verifies('adapter.recognises-styles');
      const values = 'Counter("ab"), OrderedDict(a=1), date(2020, 1, 1), Counter("b"), date(2021, 1, 1)';
      const code = `import pickle, sys\nfrom collections import Counter, OrderedDict\nfrom datetime import date\nsys.stdout.buffer.write(pickle.dumps([${values}], ${protocol}))`;
      const { savedModels } = await scanned({ 'a.pkl': execFileSync('python3', ['-c', code]) });
      expect(savedModels[0]?.names.filter((name) => name !== 'encode')).toEqual(['Counter', 'OrderedDict', 'date']);
      expect(savedModels[0]?.modules.filter((name) => name !== '_codecs')).toEqual(['collections', 'datetime']);
      expect(savedModels[0]?.isPlainData).toBe(false);
    },
  );

  it('reads functions that typer runs, public methods of a class for fire, and notes in annotations', async () => {
    verifies('adapter.command-lines');
    const { modules } = await scanned({
      't.py':
        'import typer\n\ndef main(path: str, quiet: bool = False):\n    pass\n\nif __name__ == "__main__":\n    typer.run(main)\n',
      'a.py':
        'import typer\nfrom typing import Annotated\n\napp = typer.Typer()\n\n@app.command()\ndef main(text: Annotated[str, typer.Argument(help="one text")], top: Annotated[int, typer.Option("--top", "-t")] = 3):\n    pass\n\napp()\n',
      'f.py':
        'import fire\n\nclass Labels:\n    def predict(self, path):\n        return path\n\n    def _hidden(self):\n        pass\n\nfire.Fire(Labels())\n',
      'n.py':
        'import fire\n\nclass Needs:\n    def __init__(self, size):\n        pass\n\n    def predict(self, path):\n        return path\n\nfire.Fire(Needs)\n',
    });
    const told = Object.fromEntries(
      modules.map(({ path, commands, isProgram }) => [
        path,
        [
          isProgram,
          commands.map(({ name, options }) => [name, options.map((one) => [one.names[0], one.required, one.help])]),
        ],
      ]),
    );
    expect(told).toEqual({
      't.py': [
        true,
        [
          [
            '',
            [
              ['path', true, ''],
              ['--quiet', false, ''],
            ],
          ],
        ],
      ],
      'a.py': [
        true,
        [
          [
            '',
            [
              ['text', true, 'one text'],
              ['--top', false, ''],
            ],
          ],
        ],
      ],
      'f.py': [true, [['predict', [['path', true, '']]]]],
      'n.py': [true, []],
    });
  });

  it('is refused when it is not what the scanner prints', () => {
    expect(() => parseScan('not json')).toThrow('the Python scanner printed something unexpected');
    expect(() => parseScan({ v: 2 })).toThrow('the Python scanner printed something unexpected');
  });
});
