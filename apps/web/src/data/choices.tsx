import { dataEncodings, type DataPreview, type LeakageWarning } from '@assay/contracts';
import { AssayError } from '@assay/foundation';
import type { TextKey } from '../i18n/en.ts';
import { useTexts } from '../i18n/texts.tsx';
import { plain } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { chooseTarget } from './column-table.tsx';
import { changeDraft, useDraft, type Draft } from './draft.ts';
import { SURE } from './start-plan.ts';

interface Props {
  readonly preview: DataPreview;
}

/** What is decided about the data: target and task, split, reading; and what speaks against it. */
export function Choices({ preview }: Props) {
  return (
    <>
      <OpenQuestions preview={preview} />
      <Target preview={preview} />
      <Split preview={preview} />
      <Reading preview={preview} />
      <Warnings preview={preview} />
    </>
  );
}

function OpenQuestions({ preview }: Props) {
  const { text } = useTexts();
  const draft = useDraft();
  const open = preview.choices.filter(({ field }) => draft.reading[field] === undefined);
  return open.map(({ field, options, taken, why }) => (
    <section key={field} className="section" aria-label={text(field)}>
      <div className="notice tone-waiting">
        <Icon name="waiting" />
        <div className="choice">
          <p>
            <b>{text(field)}</b> · {text('choiceOpen')}
          </p>
          <p lang="en">{plain(why)}</p>
          <div className="options">
            {options.map(({ value, label }) => (
              <button
                key={value}
                type="button"
                className={`button small${value === taken ? ' primary' : ''}`}
                title={plain(label)}
                onClick={() => changeDraft({ reading: { ...draft.reading, [field]: value } })}
              >
                {readingWord(field, value, text)}
              </button>
            ))}
          </div>
        </div>
      </div>
    </section>
  ));
}

const delimiters: Readonly<Record<string, TextKey>> = {
  ',': 'delimiterComma',
  ';': 'delimiterSemicolon',
  '\t': 'delimiterTab',
  ' ': 'delimiterSpace',
};

function readingWord(field: keyof Draft['reading'], value: string, text: (key: TextKey) => string): string {
  if (field === 'header') return text(value === 'absent' ? 'headerAbsent' : 'headerPresent');
  if (field === 'delimiter') return value in delimiters ? text(delimiters[value]!) : value;
  return value;
}

function Target({ preview }: Props) {
  const { text } = useTexts();
  const draft = useDraft();
  const { manifest, candidates, problem } = preview;
  const name = draft.target === '' ? manifest.targetColumn : draft.target;
  const because = candidates[0]?.because;
  const says: TextKey =
    name === null
      ? 'targetNone'
      : draft.target !== ''
        ? 'targetSaid'
        : because === 'last-column'
          ? 'targetLast'
          : 'targetGuess';
  return (
    <section className="section">
      <div className="row">
        <h3 className="grow">{text('targetTitle')}</h3>
        {name !== null && draft.target === '' && (
          <button
            type="button"
            className={`button small${manifest.confidence < SURE ? ' primary' : ''}`}
            onClick={() => chooseTarget(name, draft.inputs)}
          >
            {text('confirm')}
          </button>
        )}
      </div>
      {name !== null && <p className="mono truncate">{plain(name)}</p>}
      <p className="meta">{text(says)}</p>
      {name !== null && (
        <label className="field">
          <span className="label">{text('task')}</span>
          <select value={draft.task} onChange={(event) => changeDraft({ task: event.target.value as Draft['task'] })}>
            <option value="">{text('taskAuto', { task: text(`task_${manifest.suggestedTask}`) })}</option>
            <option value="classification">{text('task_classification')}</option>
            <option value="regression">{text('task_regression')}</option>
          </select>
        </label>
      )}
      {problem !== null && <ErrorNotice error={errorOf(problem)} />}
    </section>
  );
}

function errorOf({ code, message, why, hint }: NonNullable<DataPreview['problem']>): AssayError {
  return new AssayError(code, message, {
    ...(why === undefined ? {} : { why }),
    ...(hint === undefined ? {} : { hint }),
  });
}

function Split({ preview }: Props) {
  const { text } = useTexts();
  const draft = useDraft();
  const { split, columns } = preview;
  const by = draft.split?.by ?? 'random';
  const groups = columns.filter(({ asGroup }) => asGroup).map(({ name }) => name);
  const times = columns.filter(({ asTime }) => asTime).map(({ name }) => name);
  const choose = (kind: string, column?: string) => {
    if (kind === 'random') return changeDraft({ split: null });
    const first = (kind === 'group' ? groups : times)[0];
    const chosen = column ?? (split.by === kind && split.column !== null ? split.column : first);
    return chosen === undefined ? undefined : changeDraft({ split: { by: kind as 'group' | 'time', column: chosen } });
  };
  const advised = split.because === 'group-like' || split.because === 'time-like' ? split.column : null;
  return (
    <section className="section">
      <h3>{text('splitTitle')}</h3>
      <p className="meta">{text('splitHelp')}</p>
      <div className="fields two">
        <div className="field">
          <select aria-label={text('splitTitle')} value={by} onChange={(event) => choose(event.target.value)}>
            <option value="random">{text('splitRandom')}</option>
            {groups.length > 0 && <option value="group">{text('splitGroup')}</option>}
            {times.length > 0 && <option value="time">{text('splitTime')}</option>}
          </select>
        </div>
        {draft.split !== null && (
          <div className="field">
            <select
              aria-label={text('splitBy')}
              value={draft.split.column}
              onChange={(event) => choose(by, event.target.value)}
            >
              {(by === 'group' ? groups : times).map((name) => (
                <option key={name} value={name}>
                  {plain(name)}
                </option>
              ))}
            </select>
          </div>
        )}
      </div>
      {advised !== null && draft.split === null && (
        <div className="notice tone-running">
          <Icon name="warning" />
          <div>
            <p>{text(split.by === 'group' ? 'splitAdvice' : 'splitAdviceTime', { column: plain(advised) })}</p>
            <p>
              <button type="button" className="button small" onClick={() => choose(split.by, advised)}>
                {text('follow')}
              </button>
            </p>
          </div>
        </div>
      )}
    </section>
  );
}

function Reading({ preview }: Props) {
  const { text } = useTexts();
  const draft = useDraft();
  const { manifest } = preview;
  const isText = manifest.format === 'csv' || manifest.format === 'tsv';
  const change = (field: keyof Draft['reading'], value: string) => {
    const { [field]: _old, ...rest } = draft.reading;
    changeDraft({ reading: value === '' ? rest : { ...rest, [field]: value } });
  };
  const select = (field: keyof Draft['reading'], taken: string, values: readonly string[]) => (
    <label className="field" key={field}>
      <span className="label">{text(field)}</span>
      <select
        aria-label={text(field)}
        value={draft.reading[field] ?? ''}
        onChange={(event) => change(field, event.target.value)}
      >
        <option value="">{text('found', { value: readingWord(field, taken, text) })}</option>
        {values.map((value) => (
          <option key={value} value={value}>
            {readingWord(field, value, text)}
          </option>
        ))}
      </select>
    </label>
  );
  const encoding = manifest.findings?.find(({ what }) => what === 'encoding');
  return (
    <section className="section">
      <h3>{text('readTitle')}</h3>
      <div className="fields two">
        {select('encoding', manifest.encoding, dataEncodings)}
        {isText && select('delimiter', manifest.delimiter ?? ',', [',', ';', '\t', '|', ' '])}
        {isText && select('header', manifest.header ?? 'present', ['present', 'absent'])}
      </div>
      {encoding !== undefined && (
        <p className="meta">
          {encoding.value} · {text('sure', { percent: `${Math.round(encoding.confidence * 100)} %` })}
        </p>
      )}
    </section>
  );
}

function Warnings({ preview }: Props) {
  const { text } = useTexts();
  const { leakage = [] } = preview.manifest;
  return (
    <section className="section">
      <h3>{text('warningsTitle')}</h3>
      {leakage.length === 0 && (
        <p className="dim">
          <Icon name="done" small /> {text('noLeakage')}
        </p>
      )}
      <ul className="warnings">
        {leakage.slice(0, 12).map((warning) => (
          <Warning key={`${warning.kind} ${warning.columns.join(' ')}`} warning={warning} preview={preview} />
        ))}
      </ul>
    </section>
  );
}

const excludable = new Set<LeakageWarning['kind']>([
  'determines-target',
  'predicts-target',
  'row-id',
  'target-in-name',
]);

function Warning({ warning, preview }: Props & { readonly warning: LeakageWarning }) {
  const { text } = useTexts();
  const draft = useDraft();
  const inputs = draft.inputs ?? preview.manifest.inputColumns;
  const rest = inputs.filter((name) => !warning.columns.includes(name));
  const canLeaveOut = excludable.has(warning.kind) && rest.length < inputs.length && rest.length > 0;
  return (
    <li title={plain(warning.says)}>
      <Icon name="warning" small />
      <span className="grow">
        <b className="mono">{warning.columns.slice(0, 3).map(plain).join(', ')}</b> {text(`leak_${warning.kind}`)}
      </span>
      {canLeaveOut && (
        <button type="button" className="button small" onClick={() => changeDraft({ inputs: rest })}>
          {text('leaveOut')}
        </button>
      )}
    </li>
  );
}
