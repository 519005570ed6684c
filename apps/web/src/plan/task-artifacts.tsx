import type { Plan, Task } from '@assay/contracts';
import { useTexts } from '../i18n/texts.tsx';
import { saveAs } from '../log/save-as.ts';
import { useClient } from '../stream/live.tsx';
import { bytesText } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction, useAnswer } from '../use-answer.ts';

interface Props {
  readonly plan: Plan;
  readonly task: Task;
  readonly of: 'reads' | 'gives';
  /** Names only. */
  readonly brief?: boolean;
}

/** What a task reads or gives: from whom, how large, and to keep. */
export function TaskArtifacts({ plan, task, of, brief = false }: Props) {
  const { text } = useTexts();
  const keys = of === 'reads' ? task.requiredArtifacts : task.outputArtifacts;
  if (keys.length === 0) return brief ? null : <p className="section meta">{text('noArtifacts')}</p>;
  return (
    <div className="section">
      <h3>{text(of)}</h3>
      <ul className={brief ? 'artifacts brief' : 'artifacts'}>
        {keys.map((key) => (
          <li key={key}>
            <Entry plan={plan} artifactKey={key} brief={brief} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface EntryProps {
  readonly plan: Plan;
  readonly artifactKey: string;
  readonly brief: boolean;
}

function Entry({ plan, artifactKey, brief }: EntryProps) {
  const { text, taskName } = useTexts();
  const from = plan.tasks.find(({ outputArtifacts }) => outputArtifacts.includes(artifactKey));
  const id = plan.artifacts[artifactKey];
  return (
    <>
      <div className="row">
        <span className="mono truncate grow" title={artifactKey}>
          {artifactKey}
        </span>
        {id === undefined ? (
          <span className="faint nowrap">{text('notYet')}</span>
        ) : (
          brief && <Icon name="done" small />
        )}
      </div>
      {!brief && from !== undefined && <p className="meta">{text('givenBy', { task: taskName(from) })}</p>}
      {!brief && id !== undefined && <Record quest={plan.questId} id={id} />}
    </>
  );
}

function Record({ quest, id }: { readonly quest: string; readonly id: string }) {
  const { text } = useTexts();
  const client = useClient();
  const { answer, error } = useAnswer((signal) => client.getArtifact({ quest, artifact: id }, { signal }), [quest, id]);
  const download = useAction(async () => {
    const response = await client.artifactContent({ quest, artifact: id });
    const extension = answer?.mediaType.includes('json') === true ? '.json' : '';
    saveAs(await response.blob(), answer?.path?.split('/').at(-1) ?? `${answer?.key ?? id}${extension}`);
  });
  if (error !== undefined) return <ErrorNotice error={error} />;
  if (answer === undefined) return <p className="meta">{text('opening')}</p>;
  return (
    <div className="row meta">
      <span className="grow">
        {bytesText(answer.size)} · <span className="hash">{answer.sha256.slice(0, 12)}</span>
      </span>
      <button type="button" className="button small" disabled={download.running} onClick={() => download.run()}>
        <Icon name="download" small />
        {text('download')}
      </button>
      {download.error !== undefined && <ErrorNotice error={download.error} />}
    </div>
  );
}
