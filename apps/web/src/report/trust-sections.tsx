import type { TextKey } from '../i18n/en.ts';
import { useTexts } from '../i18n/texts.tsx';
import { decimal, plain } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import type { LoadedReport } from './load-report.ts';

interface Props {
  readonly loaded: LoadedReport;
}

/** Submissions of known quality, judged by the same code. */
export function Probes({ loaded: { validation } }: Props) {
  const { text } = useTexts();
  const probes = Object.entries(validation.probes);
  const passed = probes.filter(([, probe]) => probe.passed).length;
  return (
    <section>
      <div className="row wrap">
        <h2>{text('probes')}</h2>
        <span className={`status ${passed === probes.length ? 'tone-done' : 'tone-failed'}`}>
          <Icon name={passed === probes.length ? 'done' : 'failed'} small />
          {text('probesAll', { passed, total: probes.length })}
        </span>
      </div>
      <p className="dim">{text('probesHelp')}</p>
      <ul className="cards">
        {probes.map(([name, probe]) => (
          <li key={name}>
            <span className="meta">{nameOf(text, name)}</span>
            <b>{probe.value === null ? text('probeRefused') : decimal(probe.value)}</b>
            <span className="meta">
              <Icon name={probe.passed ? 'done' : 'failed'} small />{' '}
              {text(probe.passed ? 'probePassed' : 'probeFailed')}
            </span>
            <span className="meta">{text('probeExpected', { what: probe.expected })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const probeTexts: Readonly<Record<string, TextKey>> = {
  null: 'probe_null',
  constant: 'probe_constant',
  shuffled_labels: 'probe_shuffled_labels',
  shuffled: 'probe_shuffled_labels',
  oracle: 'probe_oracle',
};

function nameOf(text: (key: TextKey) => string, name: string): string {
  const known = probeTexts[name];
  return known === undefined ? name.replaceAll('_', ' ') : text(known);
}

/** What was fixed and hashed before the run. */
export function Registration({ loaded: { registration } }: Props) {
  const { text } = useTexts();
  const { dataset, split, interval, evaluator } = registration;
  const column = split.group?.column ?? split.time?.column ?? '';
  const splitText = { test: split.handedOut, train: split.train, column: plain(column) };
  return (
    <section>
      <h2>{text('registration')}</h2>
      <p className="dim">{text('registrationHelp')}</p>
      <dl className="facts">
        <dt>{text('dataSet')}</dt>
        <dd>
          {text('dataSetRows', { name: plain(dataset.name), rows: dataset.rowCount })} <Hash of={dataset.sha256} />
        </dd>
        <dt>{text('target')}</dt>
        <dd className="mono">{plain(registration.targetColumn ?? '–')}</dd>
        <dt>{text('split')}</dt>
        <dd>{text(`split_${split.method}`, splitText)}</dd>
        <dt>{text('primary')}</dt>
        <dd className="mono">{registration.primary ?? '–'}</dd>
        <dt>{text('seeds')}</dt>
        <dd>
          {text('seedsOf', { run: registration.seed, split: split.seed, interval: interval.seed, B: interval.B })}
        </dd>
        <dt>{text('evaluator')}</dt>
        <dd>
          <span className="mono">{`${evaluator.name} v${evaluator.version}`}</span> <Hash of={evaluator.sha256} />
        </dd>
        <dt>{text('registeredHash')}</dt>
        <dd>
          <Hash of={registration.sha256} />
        </dd>
      </dl>
    </section>
  );
}

export function Hash({ of }: { readonly of: string }) {
  const { text } = useTexts();
  return <span className="hash" title={text('wholeHash', { hash: of })}>{`${of.slice(0, 8)}…${of.slice(-4)}`}</span>;
}

/** Signs of leakage, mapped labels, metrics without a value, and other limits. */
export function Limits({ loaded: { manifest, result, metrics, validation } }: Props) {
  const { text } = useTexts();
  const leakage = (manifest.leakage ?? []).map(({ says }) => says);
  const other = (result.notes ?? []).filter((note) => !leakage.includes(note));
  const missing = Object.entries(metrics.undefined).map(([name, why]) => `${name}: ${why}`);
  return (
    <>
      <section>
        <h2>{text('warnings')}</h2>
        {leakage.length === 0 ? (
          <p className="dim">{text('noWarnings')}</p>
        ) : (
          <>
            <p className="dim">{text('warningsHelp')}</p>
            <Lines icon="warning" lines={leakage} />
          </>
        )}
        {result.labels !== null && result.labels !== undefined && (
          <div className="notice tone-running">
            <Icon name="warning" />
            <div>
              <p>
                <b>{text('mapping')}</b>
              </p>
              <p>
                {text('mappingHelp')} <span className="mono">{plain(result.labels.map)}</span>
              </p>
              <p>{plain(result.labels.evidence)}</p>
            </div>
          </div>
        )}
      </section>
      {missing.length > 0 && (
        <section>
          <h2>{text('undefinedMetrics')}</h2>
          <Lines icon="info" lines={missing} />
        </section>
      )}
      {other.length > 0 && (
        <section>
          <h2>{text('notes')}</h2>
          <Lines icon="info" lines={other} />
        </section>
      )}
      <section>
        <h2>{text('checksDone')}</h2>
        <Lines icon="done" lines={validation.checks} />
      </section>
    </>
  );
}

function Lines({ icon, lines }: { readonly icon: 'warning' | 'info' | 'done'; readonly lines: readonly string[] }) {
  return (
    <ul className="lines">
      {lines.map((line) => (
        <li key={line}>
          <Icon name={icon} small />
          <span lang="en">{plain(line)}</span>
        </li>
      ))}
    </ul>
  );
}
