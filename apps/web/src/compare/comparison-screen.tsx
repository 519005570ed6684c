import { comparisonSchema, type Comparison, type ComparedPair, type Evidence } from '@assay/contracts';
import { AssayError } from '@assay/foundation';
import { useState } from 'react';
import { Link } from 'wouter';
import { useTexts } from '../i18n/texts.tsx';
import { EvidenceChip } from '../report/evidence-chip.tsx';
import { EvidencePanel } from '../report/evidence-panel.tsx';
import { Figure } from '../report/figure.tsx';
import { IntervalPlot } from '../report/interval-plot.tsx';
import { Hash } from '../report/trust-sections.tsx';
import { useClient } from '../stream/live.tsx';
import { plain } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction, useAnswer } from '../use-answer.ts';
import { Heads } from './runs-screen.tsx';

/** A stored comparison: what is better, what is not distinguishable, and the proof of each number. */
export function ComparisonScreen({ quest, artifact }: { readonly quest: string; readonly artifact: string }) {
  const { text } = useTexts();
  const client = useClient();
  const { answer, error } = useAnswer(
    async (signal) => {
      const parsed = comparisonSchema.safeParse((await client.getArtifact({ quest, artifact }, { signal })).value);
      if (parsed.success) return parsed.data;
      throw new AssayError('artifact_invalid', 'this is no comparison that this page can read', {
        hint: 'load the page again; if it stays, run assay fsck',
      });
    },
    [client, quest, artifact],
  );
  if (error !== undefined)
    return (
      <div className="empty">
        <ErrorNotice error={error} />
      </div>
    );
  return answer === undefined ? <p className="empty dim">{text('opening')}</p> : <Shown comparison={answer} />;
}

function Shown({ comparison }: { readonly comparison: Comparison }) {
  const { text } = useTexts();
  const client = useClient();
  const [open, setOpen] = useState<Evidence>();
  const show = useAction(async (id: string) =>
    setOpen(open?.id === id ? undefined : await client.getEvidence({ quest: comparison.quest, evidence: id })),
  );
  const { createdAt, candidates, dataset, id } = comparison;
  const title = `${candidates.map(({ name }) => plain(name)).join(', ')} · ${plain(dataset.name)}`;
  const date = createdAt.slice(0, 16).replace('T', ' ');
  const { answer: verified, error } = useAnswer(
    (signal) => client.verifyQuest({ quest: comparison.quest }, { signal }),
    [client, id],
  );
  const counted = { ok: verified?.ok ?? 0, total: verified?.total ?? 0 };
  const sentence = text('provenanceComparison', { id, date, ...counted });
  const provenance = { title, plan: id, date, ...counted, sentence };
  const names = candidates.map(({ name }) => plain(name));
  const nameOf = (pair: ComparedPair) => `${names[pair.first]} − ${names[pair.second]}`;
  const tested = comparison.pairs.filter(({ test }) => test !== null);
  return (
    <div className={open === undefined ? 'scroll' : 'split'}>
      <div className="scroll">
        <article className="compare">
          <section>
            <h1>{title}</h1>
            <p className="meta">
              {date} · {text('protocol')} <Hash of={comparison.protocol.sha256} />
            </p>
            <ul className="lines">
              {comparison.conclusion.map((line) => (
                <li key={line}>
                  <Icon name="info" small />
                  <span lang="en">{plain(line)}</span>
                </li>
              ))}
            </ul>
            <p className={`status ${verified?.mismatches.length === 0 ? 'tone-done' : 'tone-blocked'}`} role="status">
              <Icon name="evidence" small />
              {verified === undefined ? text('verifying') : text('verifiedOf', counted)}
            </p>
            {error !== undefined && <ErrorNotice error={error} />}
            {show.error !== undefined && <ErrorNotice error={show.error} />}
          </section>
          <Ranking comparison={comparison} open={open?.id} onOpen={show.run} />
          <section>
            <p className="dim">{text('differencesHelp', { metric: comparison.primary, family: comparison.family })}</p>
            {tested.length > 0 && verified !== undefined && (
              <Figure
                title={text('differences')}
                provenance={provenance}
                table={{
                  header: ['pair', 'difference', 'low', 'high', 'p_holm', 'verdict'],
                  rows: tested.map((pair) => [
                    nameOf(pair),
                    pair.test!.corrected.value,
                    ...(pair.test!.corrected.interval ?? [null, null]),
                    pair.test!.pHolm.value,
                    pair.verdict,
                  ]),
                }}
              >
                <IntervalPlot
                  zero
                  label={text('differences')}
                  numbers={tested.map((pair) => ({
                    name: nameOf(pair),
                    value: pair.test!.corrected.value,
                    interval: pair.test!.corrected.interval,
                  }))}
                />
              </Figure>
            )}
            <Pairs comparison={comparison} open={open?.id} onOpen={show.run} />
          </section>
          <Runs comparison={comparison} />
        </article>
      </div>
      {open !== undefined && (
        <aside className="pane evidence-pane" aria-label={text('evidence')}>
          <EvidencePanel
            evidence={open}
            at={1}
            total={1}
            provenance={provenance}
            onStep={() => undefined}
            onClose={() => setOpen(undefined)}
          />
        </aside>
      )}
    </div>
  );
}

interface PartProps {
  readonly comparison: Comparison;
  readonly open: string | undefined;
  readonly onOpen: (evidence: string) => void;
}

interface Proven {
  readonly value: number;
  readonly interval?: readonly [number, number] | undefined;
  readonly evidence: string;
}

function Chip({
  of,
  name,
  digits,
  open,
  onOpen,
}: Omit<PartProps, 'comparison'> & {
  readonly of: Proven | undefined;
  readonly name: string;
  readonly digits?: number;
}) {
  const record =
    of === undefined
      ? undefined
      : {
          value: of.value,
          ...(of.interval === undefined ? {} : { ci: { low: of.interval[0], high: of.interval[1] } }),
        };
  return (
    <EvidenceChip
      record={record}
      name={name}
      digits={digits}
      open={of !== undefined && open === of.evidence}
      onOpen={() => of !== undefined && onOpen(of.evidence)}
    />
  );
}

function Ranking({ comparison: { candidates, primary }, open, onOpen }: PartProps) {
  const { text } = useTexts();
  return (
    <section>
      <h2>{text('ranking')}</h2>
      <div className="wide-table" tabIndex={0} role="region" aria-label={text('ranking')}>
        <table className="table">
          <Heads names={[text('rank'), text('candidate'), primary, text('commit')]} />
          <tbody>
            {[...candidates]
              .sort((a, b) => a.rank - b.rank)
              .map((candidate) => (
                <tr key={candidate.plan}>
                  <td>{candidate.rank}</td>
                  <th scope="row">
                    <Link href={`/plans/${candidate.plan}/report`}>{plain(candidate.name)}</Link>
                  </th>
                  <td>
                    <Chip
                      of={candidate.metrics[primary]}
                      name={`${plain(candidate.name)} ${primary}`}
                      {...{ open, onOpen }}
                    />
                  </td>
                  <td className="hash">{candidate.commit?.slice(0, 12) ?? '–'}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Pairs({ comparison: { candidates, pairs }, open, onOpen }: PartProps) {
  const { text } = useTexts();
  return (
    <div className="wide-table" tabIndex={0} role="region" aria-label={text('differences')}>
      <table className="table">
        <Heads
          names={[
            text('verdict'),
            text('correctedInterval'),
            text('holm'),
            text('exact'),
            text('discordant'),
            text('otherCode'),
          ]}
        />
        <tbody>
          {pairs.map((pair) => {
            const [first, second] = [candidates[pair.first]!, candidates[pair.second]!].map(({ name }) => plain(name));
            const { test } = pair;
            const about = `${first} − ${second}`;
            const chip = (of: Proven | undefined, digits?: number) => (
              <Chip of={of} name={about} {...{ open, onOpen }} {...(digits === undefined ? {} : { digits })} />
            );
            return (
              <tr key={about}>
                <th scope="row">
                  <Verdict pair={pair} first={first!} second={second!} />
                </th>
                <td>{chip(test?.corrected)}</td>
                <td>{chip(test?.pHolm)}</td>
                <td>{chip(test?.pExact)}</td>
                <td className="nowrap">
                  {chip(test?.firstOnly, 0)} {chip(test?.secondOnly, 0)}
                </td>
                <td className="dim">{text(`code_${pair.code}`)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Verdict({
  pair,
  first,
  second,
}: {
  readonly pair: ComparedPair;
  readonly first: string;
  readonly second: string;
}) {
  const { text } = useTexts();
  if (pair.verdict === 'not_distinguishable') return <>= {text('verdictNone', { first, second })}</>;
  const [better, worse] = pair.verdict === 'first_better' ? [first, second] : [second, first];
  return <>↑ {text('verdictBetter', { better, worse })}</>;
}

function Runs({ comparison: { attempts, notCompared } }: { readonly comparison: Comparison }) {
  const { text } = useTexts();
  return (
    <>
      <section>
        <h2>{text('formalRuns')}</h2>
        <ul className="lines">
          {attempts.map(({ plan, attempt, outcome, code }) => (
            <li key={`${plan} ${attempt}`}>
              <Icon name={outcome === 'completed' ? 'done' : 'failed'} small />
              <span>
                <Link href={`/plans/${plan}`}>{text('openPlan')}</Link>{' '}
                <span className="meta">
                  {text('attempt', { attempt })} · {text(`outcome_${outcome}`)} {code ?? ''}
                </span>
              </span>
            </li>
          ))}
        </ul>
      </section>
      {notCompared.length > 0 && (
        <section>
          <h2>{text('notCompared')}</h2>
          <ul className="lines">
            {notCompared.map(({ plan, name, message }) => (
              <li key={plan}>
                <Icon name="failed" small />
                <span>
                  <Link href={`/plans/${plan}`}>{plain(name)}</Link> <span lang="en">{plain(message)}</span>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
