import type { Evidence } from '@assay/contracts';
import { useTexts } from '../i18n/texts.tsx';
import { decimal, plain } from '../ui/format.ts';
import { EvidenceChip } from './evidence-chip.tsx';
import { Figure } from './figure.tsx';
import type { Provenance } from './export/provenance.ts';

const NAMES = ['precision', 'recall', 'f1'] as const;
const MOST = 20;
const LEFT = 132;
const WIDTH = 560;
const RIGHT = 56;
const GROUP = 64;

export interface LabelRow {
  readonly label: string;
  readonly support: number;
}

interface Props {
  readonly labels: readonly LabelRow[];
  readonly evidence: ReadonlyMap<string, Evidence>;
  readonly provenance: Provenance;
  readonly open: string | undefined;
  readonly onOpen: (metric: string) => void;
}

/** Precision, recall and F1 of each label: bars with intervals, and the same numbers as chips. */
export function ClassBars({ labels, evidence, provenance, open, onOpen }: Props) {
  const { text } = useTexts();
  const shown = labels.slice(0, MOST);
  const table = {
    header: ['label', 'rows', ...NAMES.flatMap((name) => [name, `${name}_low`, `${name}_high`])],
    rows: labels.map(({ label, support }) => [
      label,
      support,
      ...NAMES.flatMap((name) => {
        const one = evidence.get(`${name}/${label}`);
        return [one?.value ?? null, one?.ci?.low ?? null, one?.ci?.high ?? null];
      }),
    ]),
  };
  return (
    <>
      <Figure title={text('perClass')} provenance={provenance} table={table}>
        <Bars labels={shown} evidence={evidence} />
      </Figure>
      <p className="meta">{text('perClassHelp')}</p>
      {shown.length < labels.length && (
        <p className="meta">{text('labelsShown', { shown: shown.length, total: labels.length })}</p>
      )}
      <div className="wide-table" tabIndex={0} role="region" aria-label={text('perClass')}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{text('rowLabel')}</th>
              <th scope="col" className="right">
                {text('support')}
              </th>
              {NAMES.map((name) => (
                <th key={name} scope="col">
                  {text(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ label, support }) => (
              <tr key={label}>
                <th scope="row">{plain(label)}</th>
                <td className="right">{support}</td>
                {NAMES.map((name) => {
                  const metric = `${name}/${label}`;
                  return (
                    <td key={name}>
                      <EvidenceChip
                        record={evidence.get(metric)}
                        name={`${text(name)} ${plain(label)}`}
                        open={open === metric}
                        onOpen={() => onOpen(metric)}
                      />
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Bars({ labels, evidence }: Pick<Props, 'labels' | 'evidence'>) {
  const { text } = useTexts();
  const x = (share: number) => LEFT + share * (WIDTH - LEFT - RIGHT);
  const height = labels.length * GROUP + 20;
  return (
    <svg className="figure wide" viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={text('perClass')}>
      {[0, 0.25, 0.5, 0.75, 1].map((tick) => (
        <g key={tick}>
          <line className="grid" x1={x(tick)} x2={x(tick)} y1="0" y2={height - 18} />
          <text className="axis" textAnchor="middle" x={x(tick)} y={height - 5}>
            {tick.toFixed(2)}
          </text>
        </g>
      ))}
      {labels.map(({ label, support }, at) => (
        <g key={label}>
          <text x="0" y={at * GROUP + 18} className="strong">
            {short(plain(label))}
          </text>
          <text x="0" y={at * GROUP + 34} className="axis">
            {`${text('support')} ${support}`}
          </text>
          {NAMES.map((name, place) => {
            const one = evidence.get(`${name}/${label}`);
            const y = at * GROUP + 6 + place * 17;
            return (
              <g key={name}>
                <text className="axis" textAnchor="end" x={LEFT - 6} y={y + 10}>
                  {text(name)}
                </text>
                {one !== undefined && (
                  <>
                    <rect className={`bar ${name}`} x={x(0)} y={y} width={x(one.value) - x(0)} height="12" />
                    {one.ci !== undefined &&
                      ['halo', 'whisker'].map((kind) => (
                        <line
                          key={kind}
                          className={kind}
                          x1={x(one.ci!.low)}
                          x2={x(one.ci!.high)}
                          y1={y + 6}
                          y2={y + 6}
                        />
                      ))}
                  </>
                )}
                <text textAnchor="end" x={WIDTH} y={y + 10} className="axis">
                  {one === undefined ? '–' : decimal(one.value)}
                </text>
              </g>
            );
          })}
        </g>
      ))}
    </svg>
  );
}

function short(label: string): string {
  return label.length > 12 ? `${label.slice(0, 11)}…` : label;
}
