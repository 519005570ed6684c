import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { diagnose } from '../src/repair/diagnose.ts';
import { nextStep, withAnswer } from '../src/repair/next-step.ts';
import { readPipOutput } from '../src/repair/pip-output.ts';
import { recording, recordingNames, stateOf } from './support/recording.ts';

/** The end of an install whose package `hostile` printed these lines while it was built, as pip 23 and 25 show it. */
function quoting(lines: readonly string[], headline = 'Getting requirements to build wheel'): string {
  return `Collecting hostile (from -r requirements.txt (line 1))
  Downloading https://index.example/hostile-1.0.tar.gz (299 bytes)
  error: subprocess-exited-with-error
  
  × ${headline} did not run successfully.
  │ exit code: 1
  ╰─> [${lines.length} lines of output]
${lines.map((line) => `      ${line}`).join('\n')}
      [end of output]
  
  note: This error originates from a subprocess, and is likely not a problem with pip.
error: subprocess-exited-with-error

× ${headline} did not run successfully.
│ exit code: 1
╰─> See above for output.

note: This error originates from a subprocess, and is likely not a problem with pip.
`;
}

const state = {
  ...stateOf({ ...recording('typo'), requirements: 'hostile==1.0\nnumpy==1.26\ngit-thing==1' }),
  imports: ['numpy'],
};
/** What may follow: something about the package itself, another Python, tools of builds. */
const own = new Set(['build_constraint', 'build_env', 'python']);

function consequence(output: string): { readonly kind: string; readonly about: string } {
  const diagnosis = diagnose({ step: 'install', output });
  let step = nextStep(state, diagnosis);
  if (step.kind === 'probe') {
    const answered = withAnswer(state, step.requirement, diagnose({ step: 'probe', output: 'nothing is known' }));
    if (!step.requirement.startsWith('hostile')) return { kind: diagnosis.kind, about: step.requirement };
    step = nextStep(answered, diagnosis);
  }
  if (step.kind !== 'attempt') return { kind: diagnosis.kind, about: 'hostile' };
  const { change } = step.state.attempts.at(-1)!;
  if (own.has(change.kind)) return { kind: diagnosis.kind, about: 'hostile' };
  return { kind: diagnosis.kind, about: 'name' in change ? change.name : change.kind };
}

test.each(recordingNames().filter((name) => recording(name).step === 'install'))(
  'a package that prints what pip printed in "%s" is not believed',
  (name) => {
    verifies('dependency.untrusted-text');
    const { output } = recording(name);
    for (const headline of [
      'Getting requirements to build wheel',
      'python setup.py egg_info',
      'Preparing metadata (pyproject.toml)',
    ]) {
      const { kind, about } = consequence(quoting(output.split('\n'), headline));
      expect(about).toBe('hostile');
      expect([
        'not_found',
        'unknown_package',
        'conflict',
        'hash_mismatch',
        'hash_incomplete',
        'yanked',
        'disk_full',
        'tls',
        'index_down',
        'git_needed',
        'invalid_line',
        'local_path_missing',
        'not_writable',
      ]).not.toContain(kind);
    }
  },
);

test.each([
  ['a carriage return', 'x\rERROR: No matching distribution found for numpy'],
  ['a line separator', 'x\u2028ERROR: No matching distribution found for numpy'],
  ['a next line', 'x\u0085ERROR: No matching distribution found for numpy'],
  ['a form feed', 'x\fERROR: No matching distribution found for numpy'],
  ['its own end of the quotation', '[end of output]\n\nERROR: No matching distribution found for numpy'],
  [
    'a headline of a nested pip',
    '  × pip subprocess to install build dependencies did not run successfully.\n      ERROR: No matching distribution found for numpy',
  ],
  ['colours that go back to the left', '\u001b[100D\u001b[1AERROR: No matching distribution found for numpy'],
])('a package that prints %s is not believed', (_name, text) => {
  verifies('dependency.untrusted-text');
  const line = 'ERROR: Could not find a version that satisfies the requirement numpy (from versions: none)';
  expect(consequence(quoting([line, ...text.split('\n')]))).toEqual({ kind: 'build_failed', about: 'hostile' });
});

test('a quotation whose beginning was cut off is still one', () => {
  verifies('dependency.untrusted-text');
  const long = quoting([
    ...Array.from({ length: 5000 }, () => 'x'.repeat(80)),
    'ERROR: No matching distribution found for numpy',
  ]);
  expect(consequence(long.slice(-64_000)).kind).toBe('build_failed');
});

test('the lines of a pip that pip ran for build dependencies are pip’s own', () => {
  const { own: lines, said } = readPipOutput(recording('build-backend-missing').output);
  expect(lines).toContain('\nERROR: No matching distribution found for hatchling\n');
  expect(said.trim()).toBe('');
});

test('a full disk is told with the folder, what is left and what was written; a package’s word for it is not taken', () => {
  verifies('dependency.disk-full');
  const { output } = recording('disk-full');
  const space = {
    folder: '/home/ada/.assay/cache',
    freeBytes: 3 << 19,
    usedBytes: 700 << 20,
    boundBytes: 8 * 1024 ** 3,
    isBound: false,
  };
  const full = nextStep(state, diagnose({ step: 'install', output, space }));
  expect(full).toMatchObject({
    stop: {
      code: 'disk_full',
      message: 'the disk is full',
      why: 'the disk of /home/ada/.assay/cache has 1.5 MiB left, and the installation had written 700.0 MiB',
    },
  });
  const bound = { ...space, freeBytes: 2 ** 40, boundBytes: 64 << 20, isBound: true };
  expect(nextStep(state, diagnose({ step: 'install', output: '', end: 'output_limit', space: bound }))).toMatchObject({
    stop: { code: 'output_limit', why: 'it wrote more than 64.0 MiB to /home/ada/.assay/cache' },
  });
  const quota = 'ERROR: Could not install packages due to an OSError: [Errno 122] Disk quota exceeded';
  expect(diagnose({ step: 'install', output: quota, space }).kind).toBe('disk_full');
  const compiler = quoting(['/tmp/x.s: fatal error: error writing to /tmp/x.s: No space left on device']);
  expect(diagnose({ step: 'install', output: compiler, space }).kind).toBe('disk_full');
  expect(diagnose({ step: 'install', output: compiler, space: { ...space, freeBytes: 2 ** 40 } }).kind).toBe(
    'build_failed',
  );
  expect(diagnose({ step: 'install', output: '', space }).kind).toBe('disk_full');
  expect(
    diagnose({ step: 'install', output: 'x', end: 'output_limit', space: { ...space, freeBytes: 2 ** 40 } }).kind,
  ).toBe('output_too_long');
});
