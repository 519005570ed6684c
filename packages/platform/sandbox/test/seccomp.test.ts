import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { seccompArchitecture, seccompProgram } from '../src/bubblewrap/seccomp-program.ts';

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;
const EAFNOSUPPORT = 0x00050061;
const X86_64 = 0xc000003e;
const AARCH64 = 0xc00000b7;

test.each(['x86_64', 'aarch64'] as const)('the filter of %s is pinned byte for byte', (architecture) => {
  verifies('sandbox.seccomp');
  const pinned = readFileSync(new URL(`./pins/seccomp-${architecture}.hex`, import.meta.url), 'utf8');
  expect(seccompProgram(architecture).toString('hex')).toBe(pinned.replaceAll('\n', ''));
});

describe('what the filter answers, run as the kernel would', () => {
  const x86 = (call: number, ...args: bigint[]) => answer(seccompProgram('x86_64'), { call, audit: X86_64, args });
  const arm = (call: number, ...args: bigint[]) => answer(seccompProgram('aarch64'), { call, audit: AARCH64, args });

  test('plain calls pass', () => {
    for (const call of [0, 1, 3, 9, 39, 59, 60, 202, 231]) expect(x86(call), String(call)).toBe(ALLOW);
    for (const call of [63, 64, 93, 172, 221]) expect(arm(call), String(call)).toBe(ALLOW);
  });

  test('refused calls do not, on both architectures', () => {
    for (const call of [101, 165, 250, 272, 298, 308, 321, 323, 425, 304]) expect(x86(call), String(call)).toBe(EPERM);
    for (const call of [117, 40, 219, 97, 241, 268, 280, 282, 425, 265]) expect(arm(call), String(call)).toBe(EPERM);
    expect(x86(435)).toBe(ENOSYS);
    expect(arm(437)).toBe(ENOSYS);
  });

  test('another interface to the same kernel ends the process', () => {
    expect(answer(seccompProgram('x86_64'), { call: 20, audit: 0x40000003, args: [] })).toBe(KILL);
    expect(x86(0x40000000 + 39)).toBe(KILL);
    expect(x86(0xffffffff)).toBe(KILL);
    expect(answer(seccompProgram('aarch64'), { call: 20, audit: 0x40000028, args: [] })).toBe(KILL);
  });

  test('clone makes threads and processes, not namespaces', () => {
    expect(x86(56, 0x3d0f00n)).toBe(ALLOW);
    expect(x86(56, 17n)).toBe(ALLOW);
    for (const flag of [0x20000n, 0x2000000n, 0x4000000n, 0x8000000n, 0x10000000n, 0x20000000n, 0x40000000n]) {
      expect(x86(56, flag | 17n), flag.toString(16)).toBe(EPERM);
      expect(arm(220, flag | 17n), flag.toString(16)).toBe(EPERM);
    }
  });

  test('input is not pushed into a terminal, whatever the upper bits are', () => {
    expect(x86(16, 0n, 0x5401n)).toBe(ALLOW);
    expect(x86(16, 0n, 0x5412n)).toBe(EPERM);
    expect(x86(16, 0n, 0x541cn)).toBe(EPERM);
    expect(x86(16, 0n, 0xdead00005412n)).toBe(EPERM);
  });

  test('sockets are of families that a network namespace confines', () => {
    for (const family of [1n, 2n, 10n, 16n]) expect(x86(41, family), String(family)).toBe(ALLOW);
    for (const family of [0n, 17n, 29n, 31n, 38n, 40n, 44n]) expect(x86(41, family), String(family)).toBe(EAFNOSUPPORT);
    expect(arm(198, 40n)).toBe(EAFNOSUPPORT);
  });

  test('no file becomes set-user-id', () => {
    expect(x86(90, 0n, 0o755n)).toBe(ALLOW);
    expect(x86(90, 0n, 0o4755n)).toBe(EPERM);
    expect(x86(268, 0n, 0n, 0o4000n)).toBe(EPERM);
    expect(x86(2, 0n, 0x41n, 0o4755n)).toBe(EPERM);
    expect(x86(2, 0n, 0n, 0o4755n)).toBe(ALLOW); // The mode of an open that creates nothing is noise.
    expect(x86(257, 0n, 0n, 0x41n, 0o644n)).toBe(ALLOW);
    expect(arm(56, 0n, 0n, 0x40n, 0o4644n)).toBe(EPERM);
  });
});

test('a processor without a table has no filter', () => {
  expect(seccompArchitecture('x64')).toBe('x86_64');
  expect(seccompArchitecture('arm64')).toBe('aarch64');
  expect(seccompArchitecture('riscv64')).toBeUndefined();
});

/** Runs classic BPF over a seccomp_data; throws on an instruction or jump that the kernel would refuse. */
function answer(program: Buffer, data: { call: number; audit: number; args: bigint[] }): number {
  const input = Buffer.alloc(64);
  input.writeUInt32LE(data.call, 0);
  input.writeUInt32LE(data.audit, 4);
  for (const [i, value] of data.args.entries()) input.writeBigUInt64LE(value, 16 + 8 * i);
  let accumulator = 0;
  for (let at = 0; at < program.length / 8; at += 1) {
    const [code, jt, jf] = [program.readUInt16LE(at * 8), program[at * 8 + 2]!, program[at * 8 + 3]!];
    const k = program.readUInt32LE(at * 8 + 4);
    if (code === 0x20) accumulator = input.readUInt32LE(k);
    else if (code === 0x15) at += accumulator === k ? jt : jf;
    else if (code === 0x35) at += accumulator >= k ? jt : jf;
    else if (code === 0x45) at += (accumulator & k) !== 0 ? jt : jf;
    else if (code === 0x06) return k;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error('the program ran past its end');
}
