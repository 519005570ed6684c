import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { checkLines, projectNames } from '../src/requirement-lines.ts';

const check = (line: string) => () => checkLines({ requirements: [line] });

test.each([
  ['an option', '--index-url=https://other.example/'],
  ['an option behind a name', 'top --global-option=x'],
  ['a short option', 'top -i https://other.example/'],
  ['a file', '-r other.txt'],
  ['a folder', './folder'],
  ['two lines', 'top\n--index-url=https://other.example/'],
  ['a line that goes on', 'top \\'],
  ['a plain address', 'top @ http://other.example/top.whl'],
  ['a file address', 'top @ file:///etc/passwd'],
  ['a repository', 'top @ git+https://other.example/top'],
  ['nothing', ''],
])('%s is no requirement', (_name, line) => {
  verifies('environments.requirement-lines');
  expect(check(line)).toThrow(expect.objectContaining({ code: 'invalid_request' }) as Error);
  expect(() => checkLines({ requirements: [], constraints: [line] })).toThrow();
});

test.each([
  'numpy',
  'scikit-learn>=1.2,<2',
  'requests[socks]==2.31.0 ; python_version < "3.12" and sys_platform == "linux"',
  `six==1.16.0 --hash=sha256:${'a'.repeat(64)} --hash=sha256:${'b'.repeat(64)}`,
  'top @ https://files.example/top-1.0-py3-none-any.whl ; python_version > "3"',
])('%s is one', (line) => {
  verifies('environments.requirement-lines');
  expect(check(line)).not.toThrow();
});

test('names are told once, as an index writes them', () => {
  expect(projectNames(['Scikit_Learn>=1', 'scikit-learn', 'a.b', 'numpy'], 2)).toEqual(['scikit-learn', 'a-b']);
});
