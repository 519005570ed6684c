import { useTexts } from '../i18n/texts.tsx';
import { plain } from '../ui/format.ts';

const MOST_LABELS = 20;

interface Props {
  readonly labels: readonly string[];
  readonly counts: readonly (readonly number[])[];
}

/** Count first, share of the label second; rows are the labels, columns what was predicted. */
export function ConfusionMatrix({ labels, counts }: Props) {
  const { text } = useTexts();
  const shown = labels.slice(0, MOST_LABELS);
  return (
    <table className="matrix">
      <thead>
        <tr>
          <th>{text('confusionLabel')}</th>
          {shown.map((label) => (
            <th key={label} scope="col">
              {plain(label)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((label, row) => {
          const total = counts[row]!.reduce((sum, count) => sum + count, 0);
          return (
            <tr key={label}>
              <th scope="row">
                {plain(label)} <span className="faint">{total}</span>
              </th>
              {shown.map((other, column) => {
                const count = counts[row]![column]!;
                const kind = count === 0 ? 'none' : row === column ? 'right' : 'wrong';
                return (
                  <td key={other} className={kind}>
                    <b>{count}</b>
                    {count > 0 && `${((100 * count) / total).toFixed(1)} %`}
                  </td>
                );
              })}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
