import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { TextKey } from './i18n/en.ts';
import { useTexts } from './i18n/texts.tsx';
import { isDark, setLook, useLook } from './look.ts';
import { CommandPalette } from './palette/command-palette.tsx';
import { useShortcuts } from './palette/shortcuts.ts';
import { useTopic } from './stream/live.tsx';
import { ErrorBoundary } from './system/error-boundary.tsx';
import { Locked } from './system/locked.tsx';
import { waitingPlans } from './system/waiting.ts';
import { Icon } from './ui/icon.tsx';
import { lastPart } from './ui/format.ts';

/** Screens by how their addresses begin. */
const places: readonly { readonly path: string; readonly word: TextKey }[] = [
  { path: '/new', word: 'data' },
  { path: '/compar', word: 'compare' }, // /compare and /comparisons
  { path: '/logs/', word: 'log' },
  { path: '/inbox', word: 'inbox' },
  { path: '/machine', word: 'machine' },
  { path: '/settings', word: 'settings' },
  { path: '/shortcuts', word: 'shortcuts' },
];

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The frame around every screen: where one is, whether the picture is live, and the few places there are. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { text, language, setLanguage } = useTexts();
  const live = useTopic('home');
  const [path] = useLocation();
  const look = useLook();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  useShortcuts(useCallback(() => setPaletteOpen(true), []));
  const waiting = waitingPlans(live.plans.values()).length;
  useEffect(() => {
    document.title = waiting === 0 ? 'Assay' : `(${waiting}) Assay`;
  }, [waiting]);
  const refused = live.errors.get('home');
  if (refused?.code === 'unauthorized') return <Locked error={refused} />;
  const plan = live.plans.get(/^\/plans\/([^/]+)/.exec(path)?.[1] ?? '');
  const place = places.find((one) => path.startsWith(one.path));
  return (
    <div className="app">
      <header className="top">
        <Link className="brand" href="/" aria-label="Assay">
          <Icon name="mark" />
        </Link>
        <nav className="crumbs grow">
          {plan === undefined ? (
            <b>{text(place?.word ?? 'home')}</b>
          ) : (
            <>
              <Link href="/">{text('plans')}</Link>
              <span>/</span>
              <b className="truncate">{lastPart(plan.inputs.repository ?? plan.id)}</b>
            </>
          )}
        </nav>
        <span className={live.connected ? 'live' : 'live off'} role="status">
          {text(live.connected ? 'live' : 'offline')}
        </span>
        <button type="button" className="find" onClick={() => setPaletteOpen(true)}>
          <Icon name="search" small />
          <span className="only-wide grow">{text('findAnything')}</span>
          <kbd className="only-wide">{isApple ? '⌘K' : 'Ctrl K'}</kbd>
          <span className="visually-hidden only-narrow">{text('findAnything')}</span>
        </button>
      </header>
      <nav className="rail">
        <Link href="/" aria-current={path === '/' || path === '/new' || path.startsWith('/plans') ? 'page' : undefined}>
          <Icon name="home" />
          {text('home')}
        </Link>
        <Link href="/compare" aria-current={path.startsWith('/compar') ? 'page' : undefined}>
          <Icon name="compare" />
          {text('compare')}
        </Link>
        <Link href="/inbox" aria-current={path === '/inbox' ? 'page' : undefined}>
          <span className="rail-icon">
            <Icon name="inbox" />
            {waiting > 0 && (
              <span className="badge" aria-label={text('waitingCount', { count: waiting })}>
                {waiting > 99 ? '99+' : waiting}
              </span>
            )}
          </span>
          {text('inbox')}
        </Link>
        <Link href="/machine" aria-current={path === '/machine' ? 'page' : undefined}>
          <Icon name="machine" />
          {text('machine')}
        </Link>
        <div className="end">
          <button
            type="button"
            className="only-wide"
            onClick={() => setLook({ theme: isDark(look) ? 'light' : 'dark' })}
          >
            <Icon name="theme" />
            {text('theme')}
          </button>
          <button
            type="button"
            title={text('languageTitle')}
            lang={language === 'en' ? 'zh-CN' : 'en'}
            onClick={() => setLanguage(language === 'en' ? 'zh-CN' : 'en')}
          >
            <Icon name="language" />
            {text('language')}
          </button>
          <Link href="/settings" aria-current={path === '/settings' ? 'page' : undefined}>
            <Icon name="settings" />
            {text('settings')}
          </Link>
        </div>
      </nav>
      <main className="main">
        <ErrorBoundary key={path}>{children}</ErrorBoundary>
      </main>
      {isPaletteOpen && <CommandPalette onClose={() => setPaletteOpen(false)} />}
    </div>
  );
}
