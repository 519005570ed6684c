import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { isMarker, markerHolds, type MarkerEnvironment } from '../src/marker.ts';

const linux: MarkerEnvironment = {
  implementation_name: 'cpython',
  implementation_version: '3.11.7',
  os_name: 'posix',
  platform_machine: 'x86_64',
  platform_python_implementation: 'CPython',
  platform_release: '6.1.0-13-amd64',
  platform_system: 'Linux',
  platform_version: '#1 SMP',
  python_full_version: '3.11.7',
  python_version: '3.11',
  sys_platform: 'linux',
};

// What `packaging.markers` of Python answers for the same texts and environment.
test.each([
  [`python_version >= "3.8"`, true],
  [`python_version < "3.10"`, false],
  [`python_version >= "3.9" and python_version < "3.12"`, true],
  [`"3.8" <= python_version`, true],
  [`python_version == "3.*"`, true],
  [`python_version ~= "3.8"`, true],
  [`python_version in "3.10 3.11"`, true],
  [`python_version not in "2.7, 3.6"`, true],
  [`python_full_version >= "3.11.8"`, false],
  [`python_full_version == "3.11.7"`, true],
  [`sys_platform == "win32"`, false],
  [`sys_platform != 'win32'`, true],
  [`platform_system == "Linux" or sys_platform == "darwin" and python_version < "3"`, true],
  [`(platform_system == "Linux" or sys_platform == "darwin") and python_version < "3"`, false],
  [`platform_machine == "x86_64" or platform_machine == "amd64"`, true],
  [`platform_python_implementation == "PyPy"`, false],
  [`implementation_name == "cpython"`, true],
  [`os_name == "nt"`, false],
  [`os.name == 'posix' and sys.platform == 'linux'`, true],
  [`python_implementation=='CPython'`, true],
  [`extra == "test"`, false],
  [`"linux" in sys_platform`, true],
  [`sys_platform in "linux darwin"`, true],
])('%s is %s on Linux with Python 3.11', (text, expected) => {
  verifies('dependency.markers');
  expect(markerHolds(text, linux)).toBe(expected);
});

test('extras that were asked for count, under any spelling', () => {
  expect(markerHolds(`extra == "Dev_Tools"`, linux, ['dev-tools'])).toBe(true);
  expect(markerHolds(`extra == "a" and python_version >= "3"`, linux, ['b', 'a'])).toBe(true);
});

test.each([
  '',
  'python_version',
  'python_version >',
  'foo == "1"',
  'python_version >= 3.8',
  `(os_name == "nt"`,
  `os_name == "nt")`,
])('%o is no marker', (text) => {
  expect(isMarker(text)).toBe(false);
  expect(markerHolds(text, linux)).toBeUndefined();
});
