import { useEffect, useRef, useState } from 'react';
import type { TextKey } from '../i18n/en.ts';
import { useTexts } from '../i18n/texts.tsx';
import { useClient } from '../stream/live.tsx';
import { Icon } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { fitting, useCommands, type Command, type QuestEntry } from './commands.ts';

const groupTexts: Readonly<Record<Command['group'], TextKey>> = {
  here: 'groupHere',
  screens: 'groupScreens',
  plans: 'plans',
  quests: 'groupQuests',
  look: 'groupLook',
};

/** Finds a screen, a plan or an action by a few letters, and does it by Enter. */
export function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const { text } = useTexts();
  const client = useClient();
  const dialog = useRef<HTMLDialogElement>(null);
  const [search, setSearch] = useState('');
  const [at, setAt] = useState(0);
  const [quests, setQuests] = useState<readonly QuestEntry[]>([]);
  const [error, setError] = useState<unknown>(undefined);
  const commands = fitting(useCommands(quests), search);
  const chosen = Math.min(at, commands.length - 1);

  useEffect(() => {
    const stop = new AbortController();
    client.listQuests({ query: { limit: 200 } }, { signal: stop.signal }).then(
      (answer) => setQuests(answer.quests),
      (failure: unknown) => stop.signal.aborted || setError(failure),
    );
    dialog.current?.showModal();
    return () => stop.abort();
  }, [client]);
  useEffect(() => {
    dialog.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);

  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    Promise.resolve(command.run()).then(onClose, setError);
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && commands.length > 0) {
      event.preventDefault();
      setAt((chosen + step + commands.length) % commands.length);
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      run(commands[chosen]);
    }
  };
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label={text('palette')}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="palette-search">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={chosen < 0 ? undefined : `palette-${chosen}`}
          aria-label={text('palette')}
          placeholder={text('palettePlaceholder')}
          autoFocus
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>Esc</kbd>
      </div>
      {error !== undefined && <ErrorNotice error={error} />}
      <div className="palette-list" id="palette-list" role="listbox" aria-label={text('palette')}>
        {commands.length === 0 && <p className="meta palette-none">{text('paletteNone')}</p>}
        {commands.map((command, index) => (
          <div
            key={`${command.group} ${command.id}`}
            id={`palette-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            className="palette-entry"
            onClick={() => run(command)}
            onKeyDown={() => undefined}
            onMouseMove={() => setAt(index)}
          >
            <Icon name={command.icon} small />
            <span className="truncate grow">{command.name}</span>
            <span className="meta nowrap">{command.detail}</span>
            {command.keys !== undefined && <Keys keys={command.keys} />}
            <span className="meta nowrap palette-group">{text(groupTexts[command.group])}</span>
          </div>
        ))}
      </div>
    </dialog>
  );
}

export function Keys({ keys }: { readonly keys: string }) {
  return (
    <span className="keys">
      {keys.split(' ').map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}
