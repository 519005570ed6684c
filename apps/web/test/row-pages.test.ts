import { verifies } from '@assay/testkit';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { RowPages } from '../src/log/row-pages.ts';

/** A log that grows, and a server that answers late, in any order, and sometimes with fewer rows than asked. */
it('every row that is in sight arrives, whole, however the log grows and the answers come', async () => {
  verifies('log.followed');
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ grows: fc.nat(600), from: fc.nat(1200), delay: fc.nat(3), most: fc.integer({ min: 1, max: 250 }) }),
        {
          minLength: 1,
          maxLength: 6,
        },
      ),
      async (steps) => {
        let rows = 1;
        let last = 'row';
        let errors = 0;
        let { delay, most } = steps[0]!;
        const at = (row: number) => (row === rows - 1 ? last : `row ${row}`);
        const pages = new RowPages({
          fetch: async (from, limit, signal) => {
            const answer = Array.from({ length: Math.max(0, Math.min(limit, most, rows - from)) }, (_, n) =>
              at(from + n),
            );
            for (let turn = 0; turn < delay; turn += 1) await Promise.resolve();
            signal.throwIfAborted();
            return answer;
          },
          onChange: () => undefined,
          onError: () => (errors += 1),
        });
        let seen: [number, number] = [0, 1];
        for (const step of steps) {
          ({ delay, most } = step);
          const before = rows;
          rows += step.grows;
          last = `half ${rows}`;
          pages.forgetFrom(before - 1);
          const from = Math.min(step.from, rows - 1);
          seen = [from, Math.min(rows, from + 40)];
          pages.want(...seen);
          if (step.delay > 1) await Promise.resolve();
        }
        await new Promise((resolve) => setTimeout(resolve, 5));
        for (let row = seen[0]; row < seen[1]; row += 1) expect(pages.row(row)).toBe(at(row));
        expect(errors).toBe(0);
      },
    ),
    { numRuns: 200, seed: 5 },
  );
});
