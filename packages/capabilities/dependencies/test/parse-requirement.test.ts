import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { parseRequirement } from '../src/parse-requirement.ts';
import { requirementText } from '../src/requirement.ts';

const origin = { file: 'requirements.txt', line: 1 };

function read(text: string): string {
  const parsed = parseRequirement(text, origin);
  if ('problem' in parsed) return `problem: ${parsed.problem}`;
  return requirementText(parsed.requirement) + (parsed.note === null ? '' : ` (${parsed.note})`);
}

test.each([
  ['numpy', 'numpy'],
  ['NumPy_Financial >= 1.0', 'numpy-financial>=1.0'],
  [
    'requests[security, socks] >=2.8.1, ==2.8.* ; python_version < "3.9"',
    'requests[security,socks]>=2.8.1,==2.8.* ; python_version < "3.9"',
  ],
  ['name (>=1.0,<2)', 'name>=1.0,<2'],
  ['torch==2.1.0+cu118', 'torch==2.1.0+cu118'],
  ['x==1!2.0', 'x==1!2.0'],
  ['tool @ https://host/tool-1.0.zip ; os_name == "nt"', 'tool @ https://host/tool-1.0.zip ; os_name == "nt"'],
  ['git+https://host/team/tool.git@v1#egg=tool', 'tool @ git+https://host/team/tool.git@v1#egg=tool'],
  ['./libs/tool[fast]', './libs/tool[fast]'],
  ['.', '.'],
  ['libs/tool-1.0-py3-none-any.whl', './libs/tool-1.0-py3-none-any.whl'],
  ['file:./libs/tool', './libs/tool'],
])('%s', (text, expected) => {
  verifies('dependency.reads-declarations');
  expect(read(text)).toBe(expected);
});

test('lines that conda wrote are read for what they mean, and that is said', () => {
  expect(read('numpy=1.21.2=py39h20f2e39_0')).toBe(
    'numpy==1.21.2 (it is written for conda and was read as numpy==1.21.2)',
  );
  expect(read('numpy=1.21')).toBe('numpy==1.21.* (it is written for conda and was read as numpy==1.21.*)');
  expect(read('certifi @ file:///croot/certifi_1665076670883/work/certifi')).toBe(
    'certifi (it points at a folder of the machine on which it was written (/croot/certifi_1665076670883/work/certifi); certifi is taken from the package index instead)',
  );
});

test.each([
  ['numpy pandas', 'problem: "pandas" is not a version range'],
  ['numpy>=1.0 pandas', 'problem: ">=1.0 pandas" is not a version range'],
  ['numpy>=', 'problem: ">=" is not a version range'],
  ['numpy ; linux', 'problem: "linux" is not a condition that PEP 508 knows'],
  ['<<<<<<< HEAD', 'problem: it does not begin with the name of a package'],
  ['=======', 'problem: it does not begin with the name of a package'],
])('%s cannot be read', (text, expected) => {
  expect(read(text)).toBe(expected);
});
