import { ResourcePool } from '@assay/scheduler';
import { verifies } from '@assay/testkit';
import { describe, expect, it } from 'vitest';

const small = { cpus: 1, memoryMiB: 100 };

describe('ResourcePool', () => {
  it('gives what is free and takes it back once', () => {
    verifies('plan.rule-machine-pool');
    const pool = new ResourcePool({ cpus: 2, memoryMiB: 1000 });
    const a = pool.tryLease('a', small, () => undefined)!;
    const b = pool.tryLease('b', small, () => undefined)!;
    expect(pool.free).toEqual({ cpus: 0, memoryMiB: 800 });
    a[Symbol.dispose]();
    a[Symbol.dispose]();
    expect(pool.free).toEqual({ cpus: 1, memoryMiB: 900 });
    b[Symbol.dispose]();
    expect(pool.free).toEqual({ cpus: 2, memoryMiB: 1000 });
  });

  it('does not let a small request overtake a large one', () => {
    verifies('plan.rule-machine-pool');
    const pool = new ResourcePool({ cpus: 4, memoryMiB: 1000 });
    const woken: string[] = [];
    const held = pool.tryLease('held', { cpus: 3, memoryMiB: 100 }, () => undefined)!;
    const large = { cpus: 4, memoryMiB: 100 };
    expect(pool.tryLease('large', large, () => woken.push('large'))).toBeUndefined();
    expect(pool.tryLease('small', small, () => woken.push('small'))).toBeUndefined();
    expect(pool.whyWaiting('small')).toBe(
      'it needs 1 CPUs and 100 MiB, 1 of 4 CPUs and 900 of 1000 MiB are free; 1 waiting before it',
    );
    held[Symbol.dispose]();
    expect(woken).toEqual(['large']);
    pool.withdraw('large');
    expect(woken).toEqual(['large', 'small']);
    expect(pool.tryLease('small', small, () => undefined)).toBeDefined();
    expect(pool.whyWaiting('small')).toBeUndefined();
  });

  it('gives a need beyond the machine the whole machine, and counts what runs already', () => {
    verifies('plan.rule-machine-pool');
    const pool = new ResourcePool({ cpus: 2, memoryMiB: 1000 });
    using whole = pool.tryLease('a', { cpus: 16, memoryMiB: 10 }, () => undefined);
    expect(whole!.need).toEqual({ cpus: 2, memoryMiB: 10 });
    const living = pool.occupy(small);
    expect(pool.free).toEqual({ cpus: -1, memoryMiB: 890 });
    living[Symbol.dispose]();
    expect(pool.free).toEqual({ cpus: 0, memoryMiB: 990 });
  });

  it('fractions of a CPU add up', () => {
    verifies('plan.rule-machine-pool');
    const pool = new ResourcePool({ cpus: 0.3, memoryMiB: 1000 });
    const tenth = { cpus: 0.1, memoryMiB: 1 };
    const leases = ['a', 'b', 'c'].map((key) => pool.tryLease(key, tenth, () => undefined));
    expect(leases.every((lease) => lease !== undefined)).toBe(true);
    expect(pool.tryLease('d', tenth, () => undefined)).toBeUndefined();
  });

  it('refuses to be made of nothing', () => {
    verifies('plan.rule-machine-pool');
    expect(() => new ResourcePool({ cpus: 0, memoryMiB: 1 })).toThrow(RangeError);
    expect(() => new ResourcePool({ cpus: 1, memoryMiB: Number.NaN })).toThrow(RangeError);
    expect(ResourcePool.ofMachine().total.cpus).toBeGreaterThan(0);
  });
});
