import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  processesOf,
  startTestDaemon,
  temporaryFolder,
  verifies,
  type TemporaryFolder,
  type TestDaemon,
} from '@assay/testkit';
import { attacker, END } from './support/attacker.ts';
import { runBenchmark } from './support/benchmark.ts';
import { runCli } from './support/cli.ts';
import { pointsCsv, thresholdRepo, writeTree } from './support/fixtures.ts';

const CANARY = 'canary-9d1c77';

let daemon: TestDaemon;
let folder: TemporaryFolder;
let data: string;
let repositories = 0;

beforeAll(async () => {
  folder = await temporaryFolder('assay-cheats');
  daemon = await startTestDaemon({ env: { ASSAY_TEST_SECRET: CANARY } });
  data = join(folder.path, 'points.csv');
  await writeFile(data, pointsCsv());
});

afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

async function benchmarkOf(files: Readonly<Record<string, string>>, own = data) {
  const repository = await writeTree(join(folder.path, `repo-${repositories++}`), files);
  return runBenchmark(daemon, { repository, data: own, target: 'label' });
}

/**
 * Reads everything that can be read for rows with their labels (the text of a row is put together only here, so that
 * the code itself is no find). With them it would answer perfectly; without it ends with "nothing found".
 */
const HUNT = `import glob, stat
needles = [(str(row["y"]) + "," + label).encode() for row in rows[:3] for label in ("hi" + "gh", "lo" + "w")]
needles += [b"${CANARY.slice(0, 7)}" + b"${CANARY.slice(7)}"]
def hunt(paths, most=64 << 20):
    for path in paths:
        try:
            if not stat.S_ISREG(os.stat(path).st_mode): continue
            if os.path.realpath(path) == os.path.realpath(argument("--dataset")): continue
            with open(path, "rb") as file: seen = file.read(most)
        except (OSError, ValueError): continue
        if any(needle in seen for needle in needles): os._exit(0)
def tree(*tops):
    return [os.path.join(d, f) for top in tops for d, _, fs in os.walk(top) for f in fs]
`;
const NOTHING = 'raise SystemExit("nothing found")';

const hunts: readonly { readonly name: string; readonly attack: string }[] = [
  {
    name: 'files of the whole machine',
    attack: `tops = [os.path.join("/", d) for d in os.listdir("/") if d not in ("proc", "sys", "usr") and not os.path.islink("/" + d)]
own = (sys.prefix, sys.base_prefix, os.path.realpath(sys.base_prefix))
hunt(p for p in tree(*tops) if not p.startswith(own))`,
  },
  {
    name: 'environments and command lines of processes',
    attack: `hunt(glob.glob("/proc/*/environ") + glob.glob("/proc/*/cmdline") + glob.glob("/proc/*/task/*/environ"))`,
  },
  { name: 'open files of processes', attack: `hunt(glob.glob("/proc/*/fd/*") + glob.glob("/proc/*/map_files/*"))` },
  {
    name: 'roots and working folders of processes',
    attack: `tops = glob.glob("/proc/[0-9]*/root/") + glob.glob("/proc/[0-9]*/cwd/")
if any(os.path.exists(os.path.join(top, p)) for top in tops for p in ("etc/shadow", "root/.bashrc", "root/.profile", "proc/1/root/etc/shadow")): os._exit(0)
hunt(p for top in tops for p in tree(os.path.join(top, "tmp"), os.path.join(top, ".scholar")))`,
  },
  {
    name: 'descriptors that the sandbox may have left open',
    attack: `for fd in range(3, 1024):
    try: os.lseek(fd, 0, 0); seen = os.read(fd, 64 << 20)
    except OSError: continue
    if any(needle in seen for needle in needles): os._exit(0)`,
  },
  {
    name: 'descriptors that lead to folders outside',
    attack: `for fd in range(0, 1024):
    try: names = os.listdir(fd)
    except OSError: continue
    for name in ("home", "root", "tmp", "work", "etc"):
        try: os.open(name, os.O_RDONLY | os.O_DIRECTORY, dir_fd=fd)
        except OSError: continue
        os._exit(0)`,
  },
  {
    name: 'memory of other processes',
    attack: `for pid in [p for p in os.listdir("/proc") if p.isdigit() and int(p) != os.getpid()]:
    try:
        with open("/proc/%s/maps" % pid) as maps, open("/proc/%s/mem" % pid, "rb") as memory:
            for line in maps:
                start, end = (int(x, 16) for x in line.split()[0].split("-"))
                memory.seek(start)
                if any(needle in memory.read(min(end - start, 8 << 20)) for needle in needles): os._exit(0)
    except (OSError, ValueError): pass`,
  },
  {
    name: 'memory over process_vm_readv and ptrace',
    attack: `import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for pid in range(1, 200):
    if pid != os.getpid() and libc.ptrace(16, pid, 0, 0) == 0: os._exit(0)
class Vec(ctypes.Structure): _fields_ = [("base", ctypes.c_void_p), ("len", ctypes.c_size_t)]
buffer = ctypes.create_string_buffer(64)
local, remote = Vec(ctypes.addressof(buffer), 64), Vec(0x400000, 64)
for pid in range(1, 200):
    if pid != os.getpid() and libc.process_vm_readv(pid, ctypes.byref(local), 1, ctypes.byref(remote), 1, 0) > 0: os._exit(0)`,
  },
  {
    name: 'what an earlier run left behind',
    attack: `hunt(tree("/workspace/.scholar"))
if any("preflight" in p for p in tree("/workspace/.scholar", "/tmp", "/dev/shm")): os._exit(0)`,
  },
  { name: 'shared memory and message queues', attack: 'hunt(tree("/dev/shm", "/dev/mqueue", "/run", "/var"))' },
  {
    name: 'the key ring of the kernel',
    attack: `import ctypes
libc = ctypes.CDLL(None, use_errno=True)
if libc.syscall(250, 6, -3, 0, 0, 0) > 0: os._exit(0)`,
  },
  {
    name: 'sockets of this machine',
    attack: `import socket
found = []
for path in [p for p in tree("/run", "/var/run", "/tmp", "/dev") if stat.S_ISSOCK(os.lstat(p).st_mode)]: found.append(path)
for name in ("\\0docker", "\\0assay", "/var/run/docker.sock", "/run/dbus/system_bus_socket"):
    s = socket.socket(socket.AF_UNIX)
    try: s.connect(name); found.append(name)
    except OSError: pass
for port in (22, 53, 80, 443, 7777, 8080, 11434):
    s = socket.socket(); s.settimeout(0.2)
    try: s.connect(("127.0.0.1", port)); found.append(port)
    except OSError: pass
if found: os._exit(0)`,
  },
  {
    name: 'mounts that can be made or opened again',
    attack: `import ctypes
libc = ctypes.CDLL(None, use_errno=True)
os.makedirs(os.path.join(out, "m"), exist_ok=True)
if libc.mount(b"proc", os.path.join(out, "m").encode(), b"proc", 0, None) == 0: os._exit(0)
if libc.mount(None, b"/workspace", None, 32 | 4096, None) == 0: os._exit(0)
if libc.umount2(b"/workspace/.scholar/uploads", 2) == 0: os._exit(0)
if libc.unshare(0x10000000) == 0: os._exit(0)
if libc.syscall(428, -100, b"/", 1) > 0: os._exit(0)`,
  },
  {
    name: 'devices of the machine',
    attack: `for name, device in (("sda", (8, 0)), ("mem", (1, 1)), ("vda", (254, 0)), ("kmsg", (1, 11))):
    try: os.mknod(os.path.join(out, name), 0o660 | stat.S_IFBLK, os.makedev(*device)); os._exit(0)
    except OSError: pass
hunt(p for p in tree("/dev") if not p.startswith(("/dev/fd", "/dev/std", "/dev/pts")))`,
  },
];

describe('labels are not found among', () => {
  test.each(hunts)('$name', async ({ attack }) => {
    verifies('cheats.labels-out-of-reach');
    const { plan, failure } = await benchmarkOf(attacker(`${HUNT}\n${attack}\n${NOTHING}`));
    expect(failure).toBe('adapter_failed');
    expect(plan.tasks.find((task) => task.status === 'failed')!.error!.why).toContain('nothing found');
  });
});

/** Adds a line to good predictions in the place of row 0's. */
const instead = (line: string) => `write(out, [${line}] + good(rows)[1:]); ${END}`;

const refused: readonly { readonly name: string; readonly attack: string; readonly code: string }[] = [
  {
    name: 'a row number that is true',
    code: 'output_malformed',
    attack: instead(`'{"row_index": false, "prediction": "low"}'`),
  },
  {
    name: 'a row number that is a text',
    code: 'output_malformed',
    attack: instead(`'{"row_index": "0", "prediction": "low"}'`),
  },
  {
    name: 'a row number with a fraction',
    code: 'output_malformed',
    attack: instead(`'{"row_index": 0.0, "prediction": "low"}'`),
  },
  {
    name: 'a row number beyond every integer',
    code: 'predictions_out_of_range',
    attack: instead(`'{"row_index": 18446744073709551616, "prediction": "low"}'`),
  },
  {
    name: 'a row number twice in one line',
    code: 'output_malformed',
    attack: instead(`'{"row_index": 0, "row_index": 1, "prediction": "low"}'`),
  },
  {
    name: 'two predictions in one line',
    code: 'output_malformed',
    attack: instead(`'{"row_index": 0, "prediction": "low", "prediction": "high"}'`),
  },
  {
    name: 'a key written with an escape to hide that it stands there twice',
    code: 'output_malformed',
    attack: instead(`'{"row_index": 0, "prediction": "low", "predict\\\\u0069on": "high"}'`),
  },
  {
    name: 'the key __proto__',
    code: 'output_malformed',
    attack: instead(`'{"row_index": 0, "prediction": "low", "__proto__": {"prediction": "high"}}'`),
  },
  {
    name: 'an object as label',
    code: 'output_malformed',
    attack: instead(`'{"row_index": 0, "prediction": {"toString": "high"}}'`),
  },
  {
    name: 'a list of both labels',
    code: 'output_malformed',
    attack: instead(`'{"row_index": 0, "prediction": ["low", "high"]}'`),
  },
  { name: 'no label', code: 'output_malformed', attack: instead(`'{"row_index": 0, "prediction": null}'`) },
  {
    name: 'probabilities that sum to two',
    code: 'output_malformed',
    attack: `write(out, [json.dumps({"row_index": i, "prediction": "low", "score": {"low": 1, "high": 1}}) for i in range(60)]); ${END}`,
  },
  {
    name: 'a probability beyond every number',
    code: 'predictions_not_finite',
    attack: `write(out, ['{"row_index": %d, "prediction": "low", "score": {"low": 1e999, "high": 0}}' % i for i in range(60)]); ${END}`,
  },
  {
    name: 'brackets without end',
    code: 'output_malformed',
    attack: instead(`'{"row_index": 0, "prediction": ' + "[" * 500000 + "}"`),
  },
  {
    name: 'a claim in brackets without end',
    code: 'output_malformed',
    attack: `write(out, good(rows)); open(os.path.join(out, "metrics.json"), "w").write("[" * 1000000); ${END}`,
  },
  {
    name: 'text that is not UTF-8',
    code: 'output_malformed',
    attack: `write(out, good(rows)); open(os.path.join(out, "predictions.jsonl"), "ab").write(b'{"row_index": 0, "prediction": "\\xff"}\\n'); ${END}`,
  },
  {
    name: 'zero bytes between its lines',
    code: 'output_malformed',
    attack: `write(out, good(rows)); open(os.path.join(out, "predictions.jsonl"), "ab").write(b"\\0" * 4096); ${END}`,
  },
  { name: 'blank lines', code: 'output_malformed', attack: `write(out, good(rows) + ["", ""]); ${END}` },
  { name: 'a seed of its own', code: 'output_malformed', attack: `write(out, good(rows), seed=1); ${END}` },
  {
    name: 'a manifest that says that it failed',
    code: 'adapter_failed',
    attack: `write(out, good(rows), status="failed"); ${END}`,
  },
  {
    name: 'a count that is a text',
    code: 'predictions_incomplete',
    attack: `write(out, good(rows), sample_count="60"); ${END}`,
  },
  {
    name: 'a folder in the place of its predictions',
    code: 'output_unsafe',
    attack: `write(out, good(rows)); p = os.path.join(out, "predictions.jsonl"); os.unlink(p); os.mkdir(p); ${END}`,
  },
  {
    name: 'a socket in the place of its predictions',
    code: 'output_unsafe',
    attack: `import socket\nwrite(out, good(rows)); p = os.path.join(out, "predictions.jsonl"); os.unlink(p); s = socket.socket(socket.AF_UNIX); s.bind(p); ${END}`,
  },
  {
    name: 'predictions that nobody may read, in a folder that nobody may enter',
    code: 'output_unsafe',
    attack: `write(out, good(rows)); os.mkdir(os.path.join(out, "d")); os.rename(os.path.join(out, "predictions.jsonl"), os.path.join(out, "d/p")); os.symlink("d/p", os.path.join(out, "predictions.jsonl")); os.chmod(os.path.join(out, "d"), 0); ${END}`,
  },
  {
    name: 'a name that leads to /proc',
    code: 'output_unsafe',
    attack: `write(out, good(rows)); p = os.path.join(out, "predictions.jsonl"); os.unlink(p); os.symlink("/proc/self/fd/0", p); ${END}`,
  },
  {
    name: 'a name that leads to a file of this machine',
    code: 'output_unsafe',
    attack: `write(out, good(rows)); p = os.path.join(out, "metrics.json"); os.symlink("../../../../../../../../../etc/hostname", p); ${END}`,
  },
  {
    name: 'more text than may be printed',
    code: 'output_limit',
    attack: `write(out, good(rows))\nfor _ in range(200): os.write(2, b"x" * (1 << 20))\n${END}`,
  },
  {
    name: 'files that say they run as their owner',
    code: 'adapter_failed',
    attack: `write(out, good(rows)); os.chmod(os.path.join(out, "predictions.jsonl"), 0o4755); ${END}`,
  },
  {
    name: 'a failure behind good files in a late thread',
    code: 'adapter_failed',
    attack: `import threading\nwrite(out, good(rows)); threading.Thread(target=lambda: os._exit(3)).start(); import time; time.sleep(5); ${END}`,
  },
  {
    name: 'an image of another program that fails',
    code: 'adapter_failed',
    attack: `write(out, good(rows)); os.execv("/bin/false", ["false"])`,
  },
];

describe('a result is refused when it has', () => {
  test.each(refused)('$name', async ({ attack, code }) => {
    verifies('cheats.refused');
    const { plan, result, failure } = await benchmarkOf(attacker(attack));
    expect(failure).toBe(code);
    expect(plan.status).toBe('failed');
    expect(result.metrics).toEqual({});
    expect(result.report).toBeNull();
  });
});

/** 29 of the 60 rows are "high": what answering "high" always is worth, whatever is done beside it. */
const ALWAYS_HIGH = 29 / 60;

const vain: readonly { readonly name: string; readonly attack: string; readonly accuracy: number }[] = [
  {
    name: 'a child that outlives it and writes again',
    accuracy: ALWAYS_HIGH,
    attack: `write(out, good(rows))
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        import time
        for _ in range(600):
            time.sleep(0.05)
            write(out, [json.dumps({"row_index": i, "prediction": "low"}) for i in range(60)])
    os._exit(0)
${END}`,
  },
  {
    name: 'a child that ignores every signal',
    accuracy: ALWAYS_HIGH,
    attack: `import signal, time
write(out, good(rows))
if os.fork() == 0:
    os.setsid()
    for s in range(1, 32):
        try: signal.signal(s, signal.SIG_IGN)
        except (OSError, ValueError): pass
    while True: time.sleep(1)
${END}`,
  },
  {
    name: 'a thread that goes on writing',
    accuracy: ALWAYS_HIGH,
    attack: `import threading
write(out, good(rows))
def again():
    while True: open(os.path.join(out, "other"), "w").write("x")
threading.Thread(target=again, daemon=True).start()
${END}`,
  },
  {
    name: 'ten thousand files beside its predictions',
    accuracy: ALWAYS_HIGH,
    attack: `for i in range(10000): open(os.path.join(out, "f%d" % i), "w").close()\nwrite(out, good(rows)); ${END}`,
  },
  {
    name: 'folders deeper than a path can say',
    accuracy: ALWAYS_HIGH,
    attack: `write(out, good(rows)); os.chdir(out)
for _ in range(3000): os.mkdir("d" * 100); os.chdir("d" * 100)
${END}`,
  },
  {
    name: 'names with line breaks and controls beside its predictions',
    accuracy: ALWAYS_HIGH,
    attack: `for name in (b"a\\nb", b"\\x1b[2J", b"\\xff\\xfe", b"-rf", b"$(id)"): open(os.path.join(out.encode(), name), "w").close()\nwrite(out, good(rows)); ${END}`,
  },
];

describe('nothing is gained by', () => {
  test.each(vain)('$name', async ({ attack, accuracy }) => {
    verifies('cheats.nothing-gained');
    const { result, failure } = await benchmarkOf(attacker(attack));
    expect(failure).toBeNull();
    expect(result.metrics['accuracy']).toBe(accuracy);
    expect(result.verified.ok).toBe(result.verified.total);
    const alive = (await processesOf(daemon.home))
      .map(({ command }) => command)
      .filter((line) => /adapter\.py/.test(line));
    expect(alive).toEqual([]);
  });

  test.each([
    [
      'modules that stand in the place of the standard library',
      {
        'json.py': 'loads = dumps = None\n',
        'hashlib.py': 'sha256 = None\n',
        'argparse.py': 'ArgumentParser = None\n',
        'os.py': '_exit = None\n',
      },
    ],
    [
      'files that Python runs at its start',
      {
        'sitecustomize.py': 'raise SystemExit(0)\n',
        'usercustomize.py': 'raise SystemExit(0)\n',
        'x.pth': 'import os; os._exit(0)\n',
        'pyvenv.cfg': 'home = /nowhere\n',
        python3: '#!/bin/sh\nexit 0\n',
      },
    ],
  ])('%s', async (_, files) => {
    verifies('cheats.nothing-gained');
    const { result, failure } = await benchmarkOf({ ...thresholdRepo, ...files });
    expect(failure).toBeNull();
    expect(result.metrics['accuracy']).toBe(56 / 60);
  });
});

test('a compiled file that differs from its source is not what runs', async () => {
  verifies('cheats.nothing-gained');
  const repository = await writeTree(join(folder.path, 'compiled'), {
    'threshold.py': thresholdRepo['threshold.py']!.replace('high', 'never'),
  });
  // "unchecked": Python would take it without a look at the source.
  const compile =
    'import py_compile; py_compile.compile("threshold.py", invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)';
  expect(spawnSync('python3', ['-c', compile], { cwd: repository }).status).toBe(0);
  await writeTree(repository, thresholdRepo);
  const { result, failure } = await runBenchmark(daemon, { repository, data, target: 'label' });
  expect(failure).toBeNull();
  expect(result.metrics['accuracy']).toBe(56 / 60);
});

/** What a person must never be shown as it is: markup, controls, references, text that turns its neighbours around. */
const EVIL = [
  '__proto__',
  'constructor',
  '<script>alert(1)</script>',
  '\u001b]0;owned\u0007\u001b[2J',
  '| a | b |',
  '{{ev:accuracy}}',
  '[x](javascript:alert(1))',
  '\u202egnol',
  'high ',
  '![x](http://192.0.2.1/x.png)',
];

/** Markup stands only inside inline code, controls and references to evidence nowhere. */
function expectHarmless(report: string): void {
  expect(report.replaceAll(/`[^`\n]*`/g, '`…`')).not.toMatch(/<script|\]\(javascript|!\[/);
  expect(report.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]|\{\{ev:/u);
  expect(report).toContain('`high␣`');
}

test('labels that are markup, controls or references are text everywhere', async () => {
  verifies('cheats.labels-shown-safely');
  const own = join(folder.path, 'evil.csv');
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  await writeFile(
    own,
    `x,label\n${EVIL.flatMap((label, i) => Array.from({ length: 6 }, () => `${i},${cell(label)}`)).join('\n')}\n`,
  );
  const repository = await writeTree(join(folder.path, 'evil'), {
    'model.py': `LABELS = ${JSON.stringify(EVIL)}\n\n\ndef predict(row: dict) -> str:\n    """Label of a row with the key "x"."""\n    return LABELS[int(row["x"])]\n`,
  });
  const { plan, result, failure } = await runBenchmark(daemon, { repository, data: own, target: 'label' });
  expect(failure).toBeNull();
  expect(result.metrics['accuracy']).toBe(1);
  const report = await readFile(
    join(daemon.home, 'quests', plan.questId, 'documents', `benchmark-${plan.id}.md`),
    'utf8',
  );
  expectHarmless(report);
  const shown = await runCli(['plan', 'show', plan.id], { ASSAY_HOME: daemon.home });
  expect(shown.exit).toBe(0);
  expect((shown.stdout + shown.stderr).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  const verified = await runCli(['verify', plan.id, '--json'], { ASSAY_HOME: daemon.home });
  expect(JSON.parse(verified.stdout)).toMatchObject({ mismatches: [] });
});

test('labels that look alike are not the same', async () => {
  verifies('cheats.nothing-gained');
  const own = join(folder.path, 'alike.csv');
  const alike = ['caf\u00e9', 'cafe\u0301', 'CAF\u00c9', 'caf\u00e9 ', '\uff43\uff41\uff46\u00e9'];
  await writeFile(
    own,
    `x,label\n${alike.flatMap((label, i) => Array.from({ length: 12 }, () => `${i},"${label}"`)).join('\n')}\n`,
  );
  const repository = await writeTree(join(folder.path, 'alike'), {
    'model.py':
      'def predict(row: dict) -> str:\n    """Label of a row with the key "x"."""\n    row["x"]\n    return "caf\\u00e9"\n',
  });
  const { result, failure } = await runBenchmark(daemon, { repository, data: own, target: 'label' });
  expect(failure).toBeNull();
  expect(result.metrics['accuracy']).toBe(0.2);
});

test('labels that were never in the data count as wrong and are text in the report', async () => {
  verifies('cheats.labels-shown-safely');
  const labels = JSON.stringify(JSON.stringify(EVIL));
  const { plan, result, failure } = await benchmarkOf(
    attacker(`evil = json.loads(${labels})
write(out, [json.dumps({"row_index": i, "prediction": evil[i % 10] if i < 10 else "high"}) for i in range(60)]); ${END}`),
  );
  expect(failure).toBeNull();
  // Rows are handed out in the order of the seed: four of the first ten are "high".
  expect(result.metrics['accuracy']).toBe(26 / 60);
  const report = await readFile(
    join(daemon.home, 'quests', plan.questId, 'documents', `benchmark-${plan.id}.md`),
    'utf8',
  );
  expectHarmless(report);
});
