import type { Evidence } from '@assay/contracts';
import { decimal } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';

interface Props {
  readonly record:
    | (Pick<Evidence, 'value' | 'unit'> & {
        readonly ci?: Pick<NonNullable<Evidence['ci']>, 'low' | 'high'> | undefined;
      })
    | undefined;
  /** What the number is, for those who do not see what stands beside it. */
  readonly name?: string;
  readonly digits?: number | undefined;
  readonly open: boolean;
  readonly onOpen: () => void;
}

/** A number that can be recomputed: value and interval with the same decimals. */
export function EvidenceChip({ record, name, digits = 4, open, onOpen }: Props) {
  if (record === undefined) return <span className="faint">–</span>;
  const { value, ci, unit } = record;
  return (
    <button type="button" className="evidence-chip" aria-expanded={open} onClick={onOpen}>
      <Icon name="evidence" />
      {name !== undefined && <span className="visually-hidden">{name}</span>}
      <span>{decimal(value, digits)}</span>
      {unit !== undefined && <span>{unit}</span>}
      {ci !== undefined && (
        <span className="interval">
          [{decimal(ci.low, digits)}, {decimal(ci.high, digits)}]
        </span>
      )}
    </button>
  );
}
