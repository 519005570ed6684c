import { seccompRules, type Architecture, type ArgumentTest, type SeccompRule } from './seccomp-rules.ts';

/** One instruction of classic BPF (linux/filter.h): `jt` and `jf` count instructions to skip. */
interface Instruction {
  readonly code: number;
  readonly jt: number;
  readonly jf: number;
  readonly k: number;
}

const LOAD = 0x20; // BPF_LD | BPF_W | BPF_ABS
const IF_EQUAL = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
const IF_AT_LEAST = 0x35; // BPF_JMP | BPF_JGE | BPF_K
const IF_ANY_BIT = 0x45; // BPF_JMP | BPF_JSET | BPF_K
const RETURN = 0x06; // BPF_RET | BPF_K

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const ERRNO = 0x00050000;
const errno = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 } as const;

/** Offsets in struct seccomp_data (linux/seccomp.h); arguments are 64 bits, low half first on little-endian machines. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const argumentOffset = (index: number) => 16 + 8 * index;

/** AUDIT_ARCH_* of linux/audit.h. */
const auditArchitecture = { x86_64: 0xc000003e, aarch64: 0xc00000b7 } as const;
/** Calls of the x32 interface carry this bit; they would bypass a list of 64-bit numbers. */
const X32_BIT = 0x40000000;

/**
 * The filter that every sandboxed process lives under, as bubblewrap's `--seccomp` takes it: everything is allowed but
 * `seccompRules`; a call through another architecture's interface ends the process.
 */
export function seccompProgram(architecture: Architecture): Buffer {
  const program = [
    load(ARCHITECTURE),
    jump(IF_EQUAL, auditArchitecture[architecture], 1, 0),
    finish(KILL_PROCESS),
    load(NUMBER),
    ...(architecture === 'x86_64' ? [jump(IF_AT_LEAST, X32_BIT, 0, 1), finish(KILL_PROCESS)] : []),
    ...seccompRules.flatMap((rule) => ruleBlock(rule, architecture)),
    finish(ALLOW),
  ];
  return encode(program);
}

/** The architecture of this machine, or undefined where no filter is known. */
export function seccompArchitecture(arch: string): Architecture | undefined {
  if (arch === 'x64') return 'x86_64';
  return arch === 'arm64' ? 'aarch64' : undefined;
}

/** Skips itself when the number differs. With tests it ends in `allow`, because a test overwrites the loaded number. */
function ruleBlock(rule: SeccompRule, architecture: Architecture): Instruction[] {
  const number = rule.number[architecture];
  if (number === null) return [];
  const answer = finish(ERRNO | errno[rule.answer]);
  const tests = rule.when ?? [];
  if (tests.length === 0) return [jump(IF_EQUAL, number, 0, 1), answer];
  const length = tests.reduce((sum, test) => sum + testLength(test), 0);
  const body: Instruction[] = [];
  // The block after the number check: tests, answer, allow. `allow` stands at index length + 1.
  for (const test of tests) body.push(...testBlock(test, length + 1 - body.length));
  return [jump(IF_EQUAL, number, 0, length + 2), ...body, answer, finish(ALLOW)];
}

function testLength(test: ArgumentTest): number {
  if ('anyBits' in test) return 2;
  return 1 + ('in' in test ? test.in : test.notIn).length;
}

/** `toAllow` is the distance from the block's first instruction to the `allow` that a failed test jumps to. */
function testBlock(test: ArgumentTest, toAllow: number): Instruction[] {
  const start = load(argumentOffset(test.argument));
  const fail = (index: number) => toAllow - index - 1;
  if ('anyBits' in test) return [start, jump(IF_ANY_BIT, test.anyBits, 0, fail(1))];
  if ('notIn' in test) return [start, ...test.notIn.map((value, i) => jump(IF_EQUAL, value, fail(i + 1), 0))];
  const last = test.in.length - 1;
  return [start, ...test.in.map((value, i) => jump(IF_EQUAL, value, last - i, i === last ? fail(i + 1) : 0))];
}

function load(offset: number): Instruction {
  return { code: LOAD, jt: 0, jf: 0, k: offset };
}

function finish(action: number): Instruction {
  return { code: RETURN, jt: 0, jf: 0, k: action };
}

function jump(code: number, k: number, jt: number, jf: number): Instruction {
  return { code, jt, jf, k };
}

function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [i, { code, jt, jf, k }] of program.entries()) {
    bytes.writeUInt16LE(code, i * 8);
    bytes.writeUInt8(jt, i * 8 + 2);
    bytes.writeUInt8(jf, i * 8 + 3);
    bytes.writeUInt32LE(k >>> 0, i * 8 + 4);
  }
  return bytes;
}
