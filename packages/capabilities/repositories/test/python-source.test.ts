import { describe, expect, it } from 'vitest';
import { verifies } from '@assay/testkit';
import { isProgram, predictionNames, pythonImports, withoutStringsAndComments } from '../src/python-source.ts';
import { thirdPartyImports } from '../src/third-party-imports.ts';

const modules = (source: string) => pythonImports(source).map((found) => found.module);

describe('reading imports without parsing Python', () => {
  it.each<readonly [source: string, expected: readonly string[]]>([
    ['import os', ['os']],
    ['import numpy as np, scipy.stats', ['numpy', 'scipy']],
    ['from sklearn.svm import SVC', ['sklearn']],
    ['from . import x\nfrom .y import z', []],
    ['from a import (\n    b,\n    c,\n)', ['a']],
    ['import a, \\\n    b', ['a', 'b']],
    ['x = 1; import late', ['late']],
    ['"""\nimport numpy\n"""', []],
    ["'''from numpy import array'''", []],
    ['# import numpy', []],
    ['s = "import numpy"\nimport os', ['os']],
    ['s = "it\\"s"\nimport os', ['os']],
    ['p = r"\\""\nimport os', ['os']],
    ["p = r'''\\''' '''\nimport os", ['os']],
    ['s = "unfinished\nimport os', ['os']],
    ['important = 1\nfrom_x = 2', []],
    ['import a # import b', ['a']],
    ['\timport tabbed', ['tabbed']],
  ])('%j', (source, expected) => {
    verifies('repository.manifest');
    expect(modules(source)).toEqual(expected);
  });

  it('keeps the lines where they are', () => {
    expect(
      withoutStringsAndComments('a = """x\ny""" # z\nb')
        .split('\n')
        .map((line) => line.trim()),
    ).toEqual(['a =', '', 'b']);
    expect(withoutStringsAndComments('"a\\\nb"\nc').split('\n')).toHaveLength(3);
  });

  it('knows what runs only sometimes', () => {
    expect(pythonImports('import a\ntry:\n    import b\nexcept ImportError:\n    b = None')).toEqual([
      { module: 'a', isConditional: false },
      { module: 'b', isConditional: true },
    ]);
  });

  it('is fast on long lines of quotes', { timeout: 60_000 }, () => {
    const started = performance.now();
    withoutStringsAndComments(`${'"'.repeat(200_001)}\n${"'".repeat(200_001)}\n${'\\'.repeat(200_000)}`);
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it('sees definitions and programs', () => {
    const source =
      'class A:\n    def predict(self): pass\n    async def classify(self): pass\ndef fit_all(): pass\ndef other(): pass\n';
    expect(predictionNames(source)).toEqual(['predict', 'classify', 'fit_all']);
    expect(isProgram('if __name__ == "__main__":\n    pass')).toBe(true);
    expect(isProgram('def f():\n    if __name__ == "x": pass')).toBe(false);
  });
});

describe('imports from elsewhere', () => {
  it('leaves out the standard library and the repository’s own modules', () => {
    verifies('repository.manifest');
    const files = [
      { path: 'pkg/a.py', source: 'import os, numpy\nimport pkg.b\nimport helper\nfrom tomllib import load' },
      { path: 'pkg/c.py', source: 'try:\n    import torch\nexcept ImportError:\n    torch = None' },
      { path: 'tests/test_a.py', source: 'import pytest\nimport numpy' },
      { path: 'setup.py', source: 'import setuptools' },
    ];
    const paths = [...files.map((file) => file.path), 'pkg/b.py', 'scripts/helper.py'];
    expect(thirdPartyImports(files, paths)).toEqual([
      { module: 'numpy', isRequired: true, files: ['pkg/a.py', 'tests/test_a.py'] },
      { module: 'pytest', isRequired: false, files: ['tests/test_a.py'] },
      { module: 'setuptools', isRequired: false, files: ['setup.py'] },
      { module: 'torch', isRequired: false, files: ['pkg/c.py'] },
    ]);
  });
});
