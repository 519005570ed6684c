import type { Client } from '@assay/client';
import { comparisonSchema, type Comparison, type Plan } from '@assay/contracts';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { titleOf } from '../home/home-screen.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { useClient, useLive } from '../stream/live.tsx';
import { plain } from '../ui/format.ts';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAnswer } from '../use-answer.ts';

/** Quests that are looked into for comparisons, the newest. */
const MOST_QUESTS = 20;

/** Two runs side by side, and the comparisons that were made. */
export function CompareScreen() {
  const { text } = useTexts();
  const client = useClient();
  const { answer, error } = useAnswer((signal) => storedComparisons(client, signal), [client]);
  return (
    <div className="scroll">
      <div className="compare">
        <h1>{text('compare')}</h1>
        <PickRuns />
        <section>
          <h2>{text('storedComparisons')}</h2>
          <p className="dim">{text('storedHelp')}</p>
          {error !== undefined && <ErrorNotice error={error} />}
          {answer === undefined && error === undefined && <p className="dim">{text('opening')}</p>}
          {answer?.length === 0 && (
            <p>
              {text('storedNone')} <span className="mono">npx assay benchmark --repo A --repo B --data F</span>
            </p>
          )}
          <ul className="lines">
            {answer?.map(({ artifact, comparison }) => (
              <li key={artifact}>
                <span className="meta nowrap">{comparison.createdAt.slice(0, 16).replace('T', ' ')}</span>
                <Link href={`/comparisons/${comparison.quest}/${artifact}`}>
                  {`${comparison.candidates.map(({ name }) => plain(name)).join(', ')} · ${plain(comparison.dataset.name)}`}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </div>
  );
}

function PickRuns() {
  const { text } = useTexts();
  const [, go] = useLocation();
  const plans = [...useLive().plans.values()].sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const chosen = plans.find(({ id }) => id === first);
  return (
    <section>
      <h2>{text('compareRuns')}</h2>
      <p className="dim">{text('compareRunsHelp')}</p>
      {plans.length < 2 ? (
        <p>{text('compareNeedsTwo')}</p>
      ) : (
        <form
          className="pick"
          onSubmit={(event) => {
            event.preventDefault();
            go(`/compare/${first}/${second}`);
          }}
        >
          <PlanChoice label={text('firstRun')} {...{ plans, value: first, onChoose: setFirst }} />
          <PlanChoice label={text('secondRun')} {...{ plans, value: second, onChoose: setSecond }} like={chosen} />
          <button type="submit" className="button primary" disabled={first === '' || second === '' || first === second}>
            {text('compareButton')}
          </button>
        </form>
      )}
    </section>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly plans: readonly Plan[];
  readonly value: string;
  readonly like?: Plan | undefined;
  readonly onChoose: (plan: string) => void;
}

function PlanChoice({ label, plans, value, like, onChoose }: ChoiceProps) {
  const { text } = useTexts();
  const isLike = ({ id, inputs }: Plan) =>
    like !== undefined &&
    id !== like.id &&
    inputs.repository === like.inputs.repository &&
    inputs.data === like.inputs.data;
  return (
    <label className="field">
      <span className="label">{label}</span>
      <select value={value} onChange={(event) => onChoose(event.target.value)}>
        <option value="">{text('chooseRun')}</option>
        {[...plans.filter(isLike), ...plans.filter((plan) => !isLike(plan))].map((plan) => (
          <option key={plan.id} value={plan.id}>
            {`${titleOf(plan)} · ${plan.createdAt.slice(0, 16).replace('T', ' ')}${isLike(plan) ? ` · ${text('sameInputs')}` : ''}`}
          </option>
        ))}
      </select>
    </label>
  );
}

interface Stored {
  readonly artifact: string;
  readonly comparison: Comparison;
}

async function storedComparisons(client: Client, signal: AbortSignal): Promise<readonly Stored[]> {
  const { quests } = await client.listQuests({ query: { limit: 100 } }, { signal });
  const found: Stored[] = [];
  for (const quest of quests.filter(({ plans }) => plans.length > 1).slice(0, MOST_QUESTS))
    for (let cursor: string | undefined; ;) {
      const query = { limit: 500, ...(cursor === undefined ? {} : { cursor }) };
      const page = await client.listArtifacts({ quest: quest.id, query }, { signal });
      for (const { id, key, value } of page.artifacts) {
        const comparison = key === 'comparison' ? comparisonSchema.safeParse(value).data : undefined;
        if (comparison !== undefined) found.push({ artifact: id, comparison });
      }
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
  return found.sort((a, b) => b.comparison.createdAt.localeCompare(a.comparison.createdAt));
}
