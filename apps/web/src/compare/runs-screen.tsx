import type { Client } from '@assay/client';
import type { Artifact, BenchmarkResult, Plan } from '@assay/contracts';
import { Link } from 'wouter';
import { titleOf } from '../home/home-screen.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { Hash } from '../report/trust-sections.tsx';
import { useClient } from '../stream/live.tsx';
import { decimal, duration, plain, secondsBetween } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { planLook, Status, taskLook } from '../ui/status.tsx';
import { useAnswer } from '../use-answer.ts';

interface Run {
  readonly plan: Plan;
  readonly result: BenchmarkResult;
  readonly artifacts: ReadonlyMap<string, Artifact>;
}

type Runs = readonly [Run, Run];

/** Two plans side by side: tasks with times and attempts, outputs with hashes, numbers. */
export function RunsScreen({ first, second }: { readonly first: string; readonly second: string }) {
  const { text } = useTexts();
  const client = useClient();
  const { answer, error } = useAnswer(
    (signal): Promise<Runs> => Promise.all([loadRun(client, first, signal), loadRun(client, second, signal)]),
    [client, first, second],
  );
  if (error !== undefined)
    return (
      <div className="empty">
        <ErrorNotice error={error} />
      </div>
    );
  if (answer === undefined) return <p className="empty dim">{text('opening')}</p>;
  return (
    <div className="scroll">
      <div className="compare">
        <h1>{text('compareRuns')}</h1>
        <dl className="facts">
          {answer.map(({ plan }, at) => (
            <div key={at} style={{ display: 'contents' }}>
              <dt>{text(at === 0 ? 'firstRun' : 'secondRun')}</dt>
              <dd className="row wrap">
                <Link href={`/plans/${plan.id}`}>{plain(titleOf(plan))}</Link>
                <span className="meta">{plan.createdAt.slice(0, 19).replace('T', ' ')}</span>
                <Status look={planLook(plan)} />
              </dd>
            </div>
          ))}
        </dl>
        <Numbers runs={answer} />
        <Tasks runs={answer} />
        <Outputs runs={answer} />
      </div>
    </div>
  );
}

async function loadRun(client: Client, id: string, signal: AbortSignal): Promise<Run> {
  const { plan } = await client.getPlan({ plan: id }, { signal });
  const read = async ([key, artifact]: readonly [string, string]): Promise<[string, Artifact]> => [
    key,
    await client.getArtifact({ quest: plan.questId, artifact }, { signal }),
  ];
  const [result, artifacts] = await Promise.all([
    client.planResult({ plan: id }, { signal }),
    Promise.all(Object.entries(plan.artifacts).map(read)),
  ]);
  return { plan, result, artifacts: new Map(artifacts) };
}

function Numbers({ runs: [first, second] }: { readonly runs: Runs }) {
  const { text } = useTexts();
  const names = [...new Set([first, second].flatMap(({ result }) => Object.keys(result.metrics)))];
  const shown = ({ result }: Run, name: string) => {
    const interval = result.intervals[name];
    const value = result.metrics[name];
    if (value === undefined) return '–';
    return `${decimal(value)}${interval === undefined ? '' : ` [${decimal(interval[0])}, ${decimal(interval[1])}]`}`;
  };
  return (
    <section>
      <h2>{text('compareNumbers')}</h2>
      <p className="dim">{text('notPaired')}</p>
      <div className="wide-table" tabIndex={0} role="region" aria-label={text('compareNumbers')}>
        <table className="table">
          <Heads names={[text('metric'), text('firstRun'), text('secondRun'), text('difference')]} />
          <tbody>
            {names.map((name) => {
              const [a, b] = [first.result.metrics[name], second.result.metrics[name]];
              return (
                <tr key={name}>
                  <th scope="row" className="mono">
                    {plain(name)}
                  </th>
                  <td className="nowrap">{shown(first, name)}</td>
                  <td className="nowrap">{shown(second, name)}</td>
                  <td className="nowrap">
                    {a === undefined || b === undefined
                      ? '–'
                      : a === b
                        ? text('numbersEqual')
                        : `${b > a ? '+' : ''}${decimal(b - a)}`}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Tasks({ runs }: { readonly runs: Runs }) {
  const { text, taskName } = useTexts();
  const types = [...new Map(runs.flatMap(({ plan }) => plan.tasks).map((task) => [task.type, task])).values()];
  return (
    <section>
      <h2>{text('compareTimes')}</h2>
      <div className="wide-table" tabIndex={0} role="region" aria-label={text('compareTimes')}>
        <table className="table">
          <Heads names={[text('columnTask'), text('firstRun'), text('secondRun'), text('difference')]} />
          <tbody>
            {types.map((named) => {
              const tasks = runs.map(({ plan }) => plan.tasks.find(({ type }) => type === named.type));
              const times = tasks.map((task) =>
                task?.finishedAt === null || task === undefined
                  ? undefined
                  : secondsBetween(task.startedAt, task.finishedAt, 0),
              );
              const [a, b] = times;
              return (
                <tr key={named.type}>
                  <th scope="row">{taskName(named)}</th>
                  {tasks.map((task, at) => (
                    <td key={at} className="nowrap">
                      {task === undefined ? (
                        '–'
                      ) : (
                        <>
                          <Status look={taskLook(task)} /> {times[at] === undefined ? '' : duration(times[at])}{' '}
                          {task.attempt > 1 && (
                            <span className="meta">{text('attempt', { attempt: task.attempt })}</span>
                          )}
                        </>
                      )}
                    </td>
                  ))}
                  <td className="nowrap dim">
                    {a === undefined || b === undefined ? '–' : `${b >= a ? '+' : '−'}${duration(Math.abs(b - a))}`}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Outputs({ runs: [first, second] }: { readonly runs: Runs }) {
  const { text } = useTexts();
  const keys = [...new Set([first, second].flatMap(({ artifacts }) => [...artifacts.keys()]))];
  return (
    <section>
      <h2>{text('compareOutputs')}</h2>
      <div className="wide-table" tabIndex={0} role="region" aria-label={text('compareOutputs')}>
        <table className="table">
          <Heads names={[text('compareOutputs'), text('firstRun'), text('secondRun'), text('verdict')]} />
          <tbody>
            {keys.map((key) => {
              const [a, b] = [first.artifacts.get(key)?.sha256, second.artifacts.get(key)?.sha256];
              const same = a === b;
              return (
                <tr key={key}>
                  <th scope="row" className="mono">
                    {key}
                  </th>
                  <td>{a === undefined ? '–' : <Hash of={a} />}</td>
                  <td>{b === undefined ? '–' : <Hash of={b} />}</td>
                  <td className="nowrap">
                    <span className={same ? 'status tone-done' : 'status tone-blocked'}>
                      <Icon name={same ? 'done' : 'blocked'} small />
                      {text(same ? 'outputSame' : a === undefined || b === undefined ? 'outputOnly' : 'outputOther')}
                    </span>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

export function Heads({ names }: { readonly names: readonly string[] }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}
