import type { TextKey } from '../i18n/en.ts';
import { useTexts } from '../i18n/texts.tsx';
import { Keys } from './command-palette.tsx';

const shown: readonly (readonly [TextKey, readonly (readonly [string, TextKey])[]])[] = [
  [
    'keysEverywhere',
    [
      ['Ctrl/⌘ K', 'palette'],
      ['g h', 'keysHome'],
      ['g i', 'keysInbox'],
      ['g m', 'keysMachine'],
      ['g s', 'keysSettings'],
      ['?', 'keysHelp'],
    ],
  ],
  [
    'log',
    [
      ['/', 'keysSearch'],
      ['Enter', 'searchUp'],
      ['Shift Enter', 'searchDown'],
      ['Esc', 'keysClear'],
      ['↑ ↓', 'keysRows'],
      ['PageUp PageDown', 'keysPages'],
      ['Home End', 'keysEnds'],
    ],
  ],
];

/** Every key of the page. */
export function ShortcutsScreen() {
  const { text } = useTexts();
  return (
    <div className="scroll">
      <div className="doctor">
        <h1>{text('shortcuts')}</h1>
        {shown.map(([title, keys]) => (
          <section key={title} className="settings-part">
            <h2>{text(title)}</h2>
            <dl className="shortcut-list">
              {keys.map(([key, what]) => (
                <div key={key} className="shortcut">
                  <dt>
                    <Keys keys={key} />
                  </dt>
                  <dd>{text(what)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </div>
  );
}
