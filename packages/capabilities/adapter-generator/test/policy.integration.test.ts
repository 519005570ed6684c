import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder, verifies } from '@assay/testkit';
import { chooseCandidate, writeAdapter } from '../src/index.ts';
import { asset, fixture, recogniseFolder, runPython } from './support/python.ts';
import { flowers } from './support/tables.ts';

interface Verdict {
  readonly ok: boolean;
  readonly problems: readonly { readonly line: number | null; readonly rule: string; readonly message: string }[];
}

async function judged(code: string | Buffer): Promise<Verdict> {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'adapter.py');
  await writeFile(file, code);
  const { exitCode, stdout } = await runPython(['-I', '-B', asset('policy.py'), file], '/');
  expect(exitCode).toBe(0);
  return JSON.parse(stdout) as Verdict;
}

describe('the adapter policy', () => {
  it('accepts what the generator writes', async () => {
    verifies('adapter.policy');
    const candidate = chooseCandidate(await recogniseFolder(fixture('proba-list'), flowers));
    expect(await judged(writeAdapter(candidate, { manifest: flowers.shape, seed: 17 }).code)).toEqual({
      ok: true,
      problems: [],
    });
  });

  it.each<readonly [code: string, rule: string, message: string]>([
    ['import subprocess', 'starts processes', 'it imports subprocess'],
    ['from multiprocessing import Pool', 'starts processes', 'it imports multiprocessing'],
    ['import os\nos.system("ls")', 'starts processes', 'it uses os.system'],
    ['from os import popen', 'starts processes', 'it uses os.popen'],
    ['import os as o', 'hides a module', 'it renames os'],
    ['import os\ngetattr(os, "sys" + "tem")("ls")', 'hides a name', 'it looks up names of os while it runs'],
    ['import socket', 'uses the network', 'it imports socket'],
    ['import urllib.request', 'uses the network', 'it imports urllib.request'],
    ['import os\nos.remove("x")', 'deletes or moves files', 'it uses os.remove'],
    ['import shutil', 'deletes or moves files', 'it imports shutil'],
    ['from pathlib import Path\nPath("x").unlink()', 'deletes or moves files', 'it uses .unlink'],
    ['import pip', 'installs packages', 'it imports pip'],
    ['import ctypes', 'reaches below Python', 'it imports ctypes'],
    ['eval("1")', 'runs text as code', 'it uses eval'],
    ['__import__("socket")', 'runs text as code', 'it uses __import__'],
    ['x = ().__class__.__base__.__subclasses__()', 'reaches below Python', 'it uses .__subclasses__'],
    ['import importlib\nimportlib.reload', 'imports in unusual ways', 'it uses importlib.reload'],
    ['input()', 'waits for a person', 'it uses input'],
    ['def f(:', 'syntax', 'it is not Python: '],
    [`x = "${'a'.repeat(2_100_000)}"`, 'size', 'it is larger than 2097152 bytes'],
  ])('refuses %.40s', async (code, rule, message) => {
    verifies('adapter.policy');
    const verdict = await judged(code);
    expect(verdict.ok).toBe(false);
    expect(verdict.problems[0]?.rule).toBe(rule);
    expect(verdict.problems[0]?.message).toContain(message);
  });

  it('names the line', async () => {
    const verdict = await judged('x = 1\n\nimport socket\n');
    expect(verdict.problems).toEqual([{ line: 3, rule: 'uses the network', message: 'it imports socket' }]);
  });

  it('survives bytes that are no text', async () => {
    const verdict = await judged(Buffer.from([0xff, 0xfe, 0x00, 0x41]));
    expect(verdict.ok).toBe(false);
  });
});
