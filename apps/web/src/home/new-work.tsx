import { Link } from 'wouter';
import type { DataPreview } from '@assay/contracts';
import { changeDraft, changeFile, hasFile, useDraft, type Draft } from '../data/draft.ts';
import { DropZone, FileChips } from '../data/drop-zone.tsx';
import { whole } from '../data/amounts.ts';
import { hostOf, recognise } from '../data/recognise.ts';
import { StartBar } from '../data/start-bar.tsx';
import { useStart } from '../data/start-plan.ts';
import { usePreview } from '../data/use-preview.ts';
import type { TextKey } from '../i18n/en.ts';
import { useTexts } from '../i18n/texts.tsx';
import { lastPart, plain } from '../ui/format.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';

/** The one box: a sentence, a dropped file; then what was recognised, what will happen, what it needs, and the start. */
export function NewWork() {
  const { text } = useTexts();
  const draft = useDraft();
  const previewed = usePreview();
  const start = useStart(previewed);
  const { preview, error, reading } = previewed;
  return (
    <form
      className="card new-work"
      onSubmit={(event) => {
        event.preventDefault();
        if (!start.disabled) start.run();
      }}
    >
      <h1>{text('newWork')}</h1>
      <DropZone className="goal-box">
        <label>
          <span className="visually-hidden">{text('goal')}</span>
          <textarea
            name="goal"
            rows={2}
            value={draft.goal}
            placeholder={text('goalExample')}
            spellCheck={false}
            onChange={(event) => say(event.target.value, draft)}
          />
        </label>
        <FileChips />
      </DropZone>
      {start.state === 'cannotStart' ? <NotYet /> : <Sentence draft={draft} preview={preview} />}
      <Fields draft={draft} preview={preview} />
      {error !== undefined && <ErrorNotice error={error} />}
      <div className="plan-of-work">
        <WhatWasRead preview={preview} reading={reading} />
        <List title="whatItDoes" items={steps.map(([icon, key]) => [icon, text(key)])} />
        <List title="permissions" items={needsOf(draft).map(([icon, key, values]) => [icon, text(key, values)])} />
      </div>
      <StartBar start={start}>
        {hasFile(draft) && (
          <Link href="/new" className="button">
            {text('previewData')}
          </Link>
        )}
      </StartBar>
    </form>
  );
}

/** What the sentence names is taken over; what was typed or dropped otherwise stays when the sentence does not name it. */
function say(goal: string, draft: Draft): void {
  const now = recognise(goal);
  const before = recognise(draft.goal);
  if (now.data !== undefined && now.data !== before.data) changeFile({ kind: 'path', path: now.data });
  changeDraft({
    goal,
    ...(now.repository !== undefined && now.repository !== before.repository ? { repository: now.repository } : {}),
    ...(now.target !== undefined && now.target !== before.target ? { target: now.target } : {}),
    ...(now.task !== undefined && now.task !== before.task ? { task: now.task } : {}),
  });
}

function NotYet() {
  const { text } = useTexts();
  return (
    <div className="notice tone-blocked" role="status">
      <Icon name="blocked" />
      <div>
        <p>{text('cannotStart')}</p>
        <p>{text('cannotStartWhy')}</p>
      </div>
    </div>
  );
}

/** What was recognised, as one sentence. */
function Sentence({ draft, preview }: { readonly draft: Draft; readonly preview: DataPreview | undefined }) {
  const { text, language } = useTexts();
  const repository = draft.repository.trim();
  if (repository === '' && !hasFile(draft)) return <p className="dim">{text('recognisedNothing')}</p>;
  const { file } = draft;
  const data = file.kind === 'upload' ? file.name : lastPart(file.path.trim());
  const target = draft.target === '' ? preview?.manifest.targetColumn : draft.target;
  const task = draft.task === '' ? preview?.manifest.suggestedTask : draft.task;
  const join = language === 'en' ? ', ' : '，';
  const says = [
    text('sayBenchmark', {
      repository: repository === '' ? text('unnamedRepository') : plain(lastPart(repository)),
      data: data === '' ? text('unnamedData') : plain(data),
    }),
    ...(typeof target === 'string' && target !== '' ? [text('sayPredict', { column: plain(target) })] : []),
    ...(task === undefined || task === 'inference' ? [] : [text(`task_${task}`)]),
  ];
  return (
    <p className="recognised" role="status">
      <span className="label">{text('recognised')}</span>
      <b>{says.join(join)}</b>
    </p>
  );
}

function Fields({ draft, preview }: { readonly draft: Draft; readonly preview: DataPreview | undefined }) {
  const { text } = useTexts();
  const { file } = draft;
  const input = (name: string, label: TextKey, rest: React.ComponentProps<'input'>) => (
    <label className="field">
      <span className="label">{text(label)}</span>
      <input name={name} spellCheck={false} autoComplete="off" {...rest} />
    </label>
  );
  return (
    <div className="fields">
      {input('repository', 'repository', {
        value: draft.repository,
        placeholder: text('repositoryExample'),
        onChange: (event) => changeDraft({ repository: event.target.value }),
      })}
      {input('data', 'dataFile', {
        value: file.kind === 'upload' ? file.name : file.path,
        readOnly: file.kind === 'upload',
        placeholder: text('dataExample'),
        onChange: (event) => changeFile({ kind: 'path', path: event.target.value }),
      })}
      {input('target', 'target', {
        value: draft.target,
        list: 'target-columns',
        placeholder: preview?.manifest.targetColumn ?? text('targetExample'),
        onChange: (event) => changeDraft({ target: event.target.value, task: '' }),
      })}
      <datalist id="target-columns">
        {preview?.columns
          .filter(({ asTarget }) => 'task' in asTarget)
          .slice(0, 500)
          .map(({ name }) => (
            <option key={name} value={name} />
          ))}
      </datalist>
    </div>
  );
}

function WhatWasRead({ preview, reading }: { readonly preview: DataPreview | undefined; readonly reading: boolean }) {
  const { text } = useTexts();
  return (
    <section>
      <h2 className="label">{text('whatRead')}</h2>
      {preview === undefined ? <p className="faint">{reading ? text('reading') : '–'}</p> : <Read preview={preview} />}
    </section>
  );
}

function Read({ preview: { manifest, problem } }: { readonly preview: DataPreview }) {
  const { text } = useTexts();
  const { suggestedTask, labels, targetColumn, rowCount, inputColumns, columns, leakage = [] } = manifest;
  const classes = labels === undefined ? '' : ` · ${text('labelsOf', { count: whole(labels.length) })}`;
  return (
    <>
      <dl className="facts">
        <dt>{text('task')}</dt>
        <dd>{`${text(`task_${suggestedTask}`)}${classes}`}</dd>
        <dt>{text('targetTitle')}</dt>
        <dd className="mono">{targetColumn === null ? '–' : plain(targetColumn)}</dd>
        <dt>{text('rowsIn')}</dt>
        <dd>{whole(rowCount)}</dd>
        <dt>{text('inputs')}</dt>
        <dd>{text('inputsOf', { count: whole(inputColumns.length), total: whole(columns.length) })}</dd>
        {leakage.length > 0 && (
          <>
            <dt>{text('warningsTitle')}</dt>
            <dd>
              <Link href="/new">{text('signsOf', { count: whole(leakage.length) })}</Link>
            </dd>
          </>
        )}
      </dl>
      {problem !== null && (
        <p className="problem" lang="en">
          {plain(problem.message)}
        </p>
      )}
    </>
  );
}

type Item = readonly [icon: IconName, says: string];

function List({ title, items }: { readonly title: TextKey; readonly items: readonly Item[] }) {
  const { text } = useTexts();
  return (
    <section>
      <h2 className="label">{text(title)}</h2>
      <ul className="what">
        {items.map(([icon, says]) => (
          <li key={says}>
            <Icon name={icon} small />
            <span>{says}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const steps: readonly (readonly [IconName, TextKey])[] = [
  ['arrow', 'whatProfile'],
  ['arrow', 'whatPreflight'],
  ['arrow', 'whatScore'],
];

type Need = readonly [IconName, TextKey, Readonly<Record<string, string>>];

/** Where the network is used, and where it is not. */
function needsOf({ repository }: Draft): readonly Need[] {
  const named = repository.trim();
  const host = hostOf(named);
  const first: readonly Need[] =
    named === ''
      ? []
      : named.startsWith('pypi:')
        ? [['globe', 'permIndex', { package: named.slice(5) }]]
        : host !== undefined
          ? [['globe', 'permRepository', { host }]]
          : [['arrow', 'permLocal', { path: plain(lastPart(named)) }]];
  return [...first, ['globe', 'permInstall', {}], ['shield', 'permRun', {}], ['shield', 'permData', {}]];
}
