import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder, verifies } from '@assay/testkit';
import { compileBoundary } from '../src/bubblewrap/boundary.ts';
import { diagnose } from '../src/bubblewrap/diagnose.ts';
import { probeBubblewrap } from '../src/bubblewrap/probe.ts';
import { BackendStatus } from '../src/session-host/backend-status.ts';
import { measureFolders } from '../src/session-host/disk-watch.ts';
import { startScript } from '../src/session-host/launch.ts';
import { LineSplitter } from '../src/session-host/lines.ts';
import { writeJsonDurableSync } from '../src/session-host/write-durable-sync.ts';

test('the boundary is exactly these options', () => {
  verifies('sandbox.boundary-built');
  const { options, watched } = compileBoundary(
    { diskBytes: 1000, readOnlyRoot: true, network: 'none' },
    {
      mounts: [
        { source: '/quests/q/attempt', target: '/work', mode: 'rw' },
        { source: '/quests/q/in', target: '/work/in', mode: 'ro' },
      ],
      masks: [
        { target: '/work/labels', kind: 'file' },
        { target: '/work/keys', kind: 'folder' },
      ],
      interpreter: [{ source: '/opt/py', target: '/opt/py' }],
      checks: [],
    },
    {
      facts: {
        top: [
          { path: '/usr', kind: 'present' },
          { path: '/bin', kind: 'link', to: 'usr/bin' },
          { path: '/lib', kind: 'present' },
        ],
        etc: ['/etc/alternatives'],
        procFiles: ['/proc/kcore'],
        procFolders: ['/proc/acpi'],
      },
      stubs: { etc: [{ source: '/rt/passwd', target: '/etc/passwd' }], empty: '/rt/empty', bridge: '/rt/bridge' },
    },
  );
  expect(options.join(' ')).toBe(
    [
      '--unshare-all --unshare-user --disable-userns --cap-drop ALL --new-session --die-with-parent',
      '--uid 1000 --gid 1000 --hostname sandbox --clearenv',
      '--ro-bind /usr /usr --symlink usr/bin /bin --ro-bind /lib /lib',
      '--perms 0755 --dir /etc --ro-bind /etc/alternatives /etc/alternatives --ro-bind /rt/passwd /etc/passwd',
      '--proc /proc --ro-bind /proc/sys /proc/sys --ro-bind /dev/null /proc/kcore',
      '--ro-bind /dev/null /proc/1/mem --ro-bind /dev/null /proc/1/task/1/mem',
      '--size 4096 --tmpfs /proc/acpi --remount-ro /proc/acpi',
      '--dev /dev --size 1000 --perms 1777 --tmpfs /dev/shm --remount-ro /dev',
      '--size 1000 --perms 1777 --tmpfs /tmp --perms 0755 --dir /var --symlink ../tmp /var/tmp',
      '--ro-bind /opt/py /opt/py',
      '--bind /quests/q/attempt /work --ro-bind /quests/q/in /work/in',
      '--ro-bind /rt/empty /work/labels --size 4096 --tmpfs /work/keys --remount-ro /work/keys',
      '--remount-ro /',
    ].join(' '),
  );
  expect(watched).toEqual(['/quests/q/attempt']);
});

describe('the script that becomes a sandbox', () => {
  const request = {
    dir: "/s/it's",
    separateStreams: false,
    diskBytes: 1024,
    outputLimitBytes: 100,
    program: '/usr/bin/bwrap',
    argv: ['echo', "a'b\n$(id)"],
  };

  test('quotes everything, sets the limits, keeps the order', () => {
    expect(startScript(request, { launcher: [], maxUserProcesses: undefined })).toBe(
      "set -e\nexec >>'/s/it'\\''s/output.log' 2>&1\nulimit -c 0\nulimit -f 2\n" +
        "exec '/usr/bin/bwrap' '--args' '4' '--' 'echo' 'a'\\''b\n$(id)' </dev/null\n",
    );
  });

  test('the log never hits the bound of a file before its own', () => {
    expect(startScript({ ...request, outputLimitBytes: 5120 }, { launcher: [], maxUserProcesses: 9 })).toContain(
      'ulimit -f 20\nulimit -u 9 2>/dev/null || ulimit -p 9\n',
    );
  });
});

describe('why bubblewrap does not work', () => {
  const kernel = { apparmorRestricts: false, unprivilegedForbidden: false, noUserNamespaces: false };
  const said = 'bwrap: setting up uid map: Permission denied';

  test('the setting that forbids it is named, with the command that allows it', () => {
    verifies('sandbox.unavailable-says-why');
    expect(diagnose(said, { ...kernel, apparmorRestricts: true })).toMatchObject({
      why: expect.stringContaining('kernel.apparmor_restrict_unprivileged_userns') as string,
      hint: expect.stringContaining('sysctl kernel.apparmor_restrict_unprivileged_userns=0') as string,
    });
    expect(diagnose(said, { ...kernel, unprivilegedForbidden: true }).hint).toBe(
      'sudo sysctl kernel.unprivileged_userns_clone=1',
    );
    expect(diagnose(said, { ...kernel, noUserNamespaces: true }).hint).toBe(
      'sudo sysctl user.max_user_namespaces=15000',
    );
    expect(diagnose("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", kernel).hint).toContain(
      'systempaths=unconfined',
    );
    expect(diagnose(said, kernel).why).toBe(said);
  });

  test('missing and too old programs are told apart', async () => {
    verifies('sandbox.unavailable-says-why');
    await using folder = await temporaryFolder();
    expect(await probeBubblewrap([], folder.path)).toEqual({
      usable: false,
      version: null,
      why: 'the program bwrap was not found',
      hint: 'sudo apt-get install bubblewrap',
    });
    writeFileSync(join(folder.path, 'bwrap'), '#!/bin/sh\necho bubblewrap 0.6.1\n', { mode: 0o755 });
    expect(await probeBubblewrap([], folder.path)).toMatchObject({ usable: false, version: '0.6.1' });
    writeFileSync(join(folder.path, 'bwrap'), '#!/bin/sh\necho bubblewrap 0.8.0; [ $# = 1 ]\n', { mode: 0o755 });
    expect(await probeBubblewrap(['--x'], folder.path)).toMatchObject({ usable: false, version: '0.8.0' });
    writeFileSync(join(folder.path, 'bwrap'), '#!/bin/sh\necho bubblewrap 0.11.0\n', { mode: 0o755 });
    expect(await probeBubblewrap(['--x'], folder.path)).toMatchObject({ usable: true, version: '0.11.0' });
  });
});

describe('streams', () => {
  test('lines are cut wherever the chunks are', () => {
    const lines = new LineSplitter(20);
    const bytes = Buffer.from('eins\nzwö\n\nd');
    const seen = [...bytes].flatMap((_byte, i) => lines.push(bytes.subarray(i, i + 1)));
    expect(seen).toEqual(['eins', 'zwö', '']);
    expect(lines.push(Buffer.from('rei\nvier\n'))).toEqual(['drei', 'vier']);
    expect(() => lines.push(Buffer.alloc(21))).toThrow(/longer than 20 bytes/);
  });

  test('the backend’s status is read from any pieces', () => {
    const status = new BackendStatus();
    status.push(Buffer.from('{ "child-pid": 4'));
    expect(status.initPid).toBeUndefined();
    status.push(Buffer.from('2, "net-namespace": 1 }\n{ "exit-code": 0 }\n'));
    expect([status.initPid, status.exitCode]).toEqual([42, 0]);
  });
});

test('a full folder is measured without following links, a file of two names once', async () => {
  verifies('sandbox.escape-disk-bomb');
  await using folder = await temporaryFolder();
  const [inside, outside] = [join(folder.path, 'in'), join(folder.path, 'out')];
  mkdirSync(join(inside, 'deep', 'er'), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(outside, 'big'), Buffer.alloc(2_000_000, 1));
  symlinkSync(outside, join(inside, 'link'));
  symlinkSync('/', join(inside, 'root'));
  writeFileSync(join(inside, 'deep', 'er', 'file'), Buffer.alloc(100_000, 1));
  expect(await measureFolders([inside], 500_000)).toBeUndefined();
  writeFileSync(join(inside, 'more'), Buffer.alloc(600_000, 1));
  expect(await measureFolders([inside], 500_000)).toBe('the writable folders hold more than 500000 bytes');
  expect(await measureFolders([join(folder.path, 'missing')], 1)).toBeUndefined();
});

test('a record is written whole or not at all', async () => {
  verifies('sandbox.records');
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'exit.json');
  writeJsonDurableSync(path, { end: 'exited', ü: '\n' });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ end: 'exited', ü: '\n' });
  expect(() => writeJsonDurableSync(folder.path, {})).toThrow();
  expect(() => writeJsonDurableSync(join(folder.path, 'missing', 'x'), {})).toThrow(/ENOENT/);
  expect(readdirSync(folder.path)).toEqual(['exit.json']);
});
