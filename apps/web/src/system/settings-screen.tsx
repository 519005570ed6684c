import type { ShownConfig } from '@assay/contracts';
import { Link } from 'wouter';
import type { TextKey } from '../i18n/en.ts';
import { useTexts, type Language } from '../i18n/texts.tsx';
import { densities, setLook, themes, useLook } from '../look.ts';
import { useClient } from '../stream/live.tsx';
import { bytesText, duration } from '../ui/format.ts';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAnswer } from '../use-answer.ts';

const themeTexts: Readonly<Record<(typeof themes)[number], TextKey>> = {
  system: 'themeSystem',
  light: 'themeLight',
  dark: 'themeDark',
};
const densityTexts: Readonly<Record<(typeof densities)[number], TextKey>> = {
  comfortable: 'densityComfortable',
  compact: 'densityCompact',
};
const languages: readonly (readonly [Language, string])[] = [
  ['en', 'English'],
  ['zh-CN', '简体中文'],
];

/** How the page looks in this browser, what the daemon was told, and which secrets it knows by name. */
export function SettingsScreen() {
  const { text, language, setLanguage } = useTexts();
  const { theme, density } = useLook();
  return (
    <div className="scroll">
      <div className="doctor">
        <h1>{text('settings')}</h1>
        <section className="settings-part">
          <h2>{text('settingsPage')}</h2>
          <Choice name={text('settingsLanguage')}>
            {languages.map(([one, word]) => (
              <Option key={one} lang={one} chosen={one === language} onChoose={() => setLanguage(one)}>
                {word}
              </Option>
            ))}
          </Choice>
          <Choice name={text('theme')}>
            {themes.map((one) => (
              <Option key={one} chosen={one === theme} onChoose={() => setLook({ theme: one })}>
                {text(themeTexts[one])}
              </Option>
            ))}
          </Choice>
          <Choice name={text('density')}>
            {densities.map((one) => (
              <Option key={one} chosen={one === density} onChoose={() => setLook({ density: one })}>
                {text(densityTexts[one])}
              </Option>
            ))}
          </Choice>
          <p className="meta">
            <Link href="/shortcuts">{text('shortcuts')}</Link>
          </p>
        </section>
        <Secrets />
        <Configuration />
      </div>
    </div>
  );
}

function Choice({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div className="choice" role="group" aria-label={name}>
      <span className="choice-name">{name}</span>
      <span className="choice-options">{children}</span>
    </div>
  );
}

interface OptionProps {
  readonly chosen: boolean;
  readonly onChoose: () => void;
  readonly children: React.ReactNode;
  readonly lang?: string;
}

function Option({ chosen, onChoose, children, lang }: OptionProps) {
  return (
    <button
      type="button"
      className={chosen ? 'button on' : 'button'}
      aria-pressed={chosen}
      onClick={onChoose}
      {...(lang === undefined ? {} : { lang })}
    >
      {children}
    </button>
  );
}

function Secrets() {
  const { text } = useTexts();
  const client = useClient();
  const { answer, error } = useAnswer((signal) => client.listSecrets(undefined, { signal }), [client]);
  return (
    <section className="settings-part">
      <h2>{text('secrets')}</h2>
      <p className="dim">{text('secretsHelp')}</p>
      {error !== undefined && <ErrorNotice error={error} />}
      {answer?.secrets.length === 0 && <p className="meta">{text('secretsNone')}</p>}
      {answer !== undefined && answer.secrets.length > 0 && (
        <dl className="facts">
          {answer.secrets.map(({ name, hosts, use, createdAt }) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt className="mono">{name}</dt>
              <dd>
                {text(use === 'packages' ? 'secretForPackages' : 'secretForRepositories', { hosts: hosts.join(', ') })}
                {createdAt === null && <span className="meta"> {text('secretInFile')}</span>}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p className="mono meta">npx assay secrets set NAME --host HOST [--for packages]</p>
    </section>
  );
}

function Configuration() {
  const { text } = useTexts();
  const client = useClient();
  const { answer, error } = useAnswer((signal) => client.getConfig(undefined, { signal }), [client]);
  const sections = [...new Set(answer?.settings.map(({ key }) => key.split('.')[0]!))];
  return (
    <section className="settings-part">
      <h2>{text('configuration')}</h2>
      <p className="dim">{text('configurationHelp')}</p>
      {error !== undefined && <ErrorNotice error={error} />}
      {answer !== undefined && <p className="mono meta break">{answer.file}</p>}
      {sections.map((section) => (
        <table key={section} className="table config">
          <thead>
            <tr>
              <th className="mono">{section}</th>
              <th>{text('configValue')}</th>
              <th>{text('configSetBy')}</th>
            </tr>
          </thead>
          <tbody>
            {answer?.settings
              .filter(({ key }) => key.startsWith(`${section}.`))
              .map((setting) => (
                <SettingRow key={setting.key} setting={setting} />
              ))}
          </tbody>
        </table>
      ))}
    </section>
  );
}

const setByTexts = { default: 'setByDefault', file: 'setByFile', environment: 'setByEnvironment' } as const;

function SettingRow({ setting }: { readonly setting: ShownConfig['settings'][number] }) {
  const { text } = useTexts();
  const { key, value, setBy, variable } = setting;
  return (
    <tr>
      <td className="mono">{key.slice(key.indexOf('.') + 1)}</td>
      <td>{shownValue(key, value, text)}</td>
      <td className={setBy === 'default' ? 'faint' : undefined}>
        {text(setByTexts[setBy])}
        {variable !== undefined && <span className="mono break"> {variable}</span>}
      </td>
    </tr>
  );
}

function shownValue(key: string, value: unknown, text: ReturnType<typeof useTexts>['text']): string {
  if (value === null || value === undefined) return text('configNone');
  if (typeof value === 'boolean') return text(value ? 'yes' : 'no');
  if (typeof value === 'number' && key.endsWith('_bytes')) return bytesText(value);
  if (typeof value === 'number' && key.endsWith('_seconds')) return duration(value);
  if (Array.isArray(value)) return value.length === 0 ? text('configEmpty') : value.map(nameOf).join(', ');
  return typeof value === 'number' || typeof value === 'string' ? String(value) : JSON.stringify(value);
}

/** An entry of a list by its name: what else stands in it is for the file. */
function nameOf(entry: unknown): string {
  if (typeof entry === 'object' && entry !== null && 'name' in entry) return String(entry.name);
  return String(entry);
}
