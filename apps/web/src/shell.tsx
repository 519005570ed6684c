import { useEffect, useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { TextKey } from './i18n/en.ts';
import { useTexts } from './i18n/texts.tsx';
import { useTopic } from './stream/live.tsx';
import { ErrorBoundary } from './system/error-boundary.tsx';
import { Locked } from './system/locked.tsx';
import { Icon } from './ui/icon.tsx';
import { lastPart } from './ui/format.ts';

const THEME = 'assay.theme';

/** The frame around every screen: where one is, whether the picture is live, and the few places there are. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { text, language, setLanguage } = useTexts();
  const live = useTopic('home');
  const [path] = useLocation();
  const [theme, setTheme] = useState(localStorage.getItem(THEME));
  useEffect(() => {
    if (theme === null) return;
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem(THEME, theme);
  }, [theme]);
  const refused = live.errors.get('home');
  if (refused?.code === 'unauthorized') return <Locked error={refused} />;
  const plan = live.plans.get(/^\/plans\/([^/]+)/.exec(path)?.[1] ?? '');
  const isDark = theme === 'dark' || (theme === null && matchMedia('(prefers-color-scheme: dark)').matches);
  return (
    <div className="app">
      <header className="top">
        <Link className="brand" href="/" aria-label="Assay">
          <Icon name="mark" />
        </Link>
        <nav className="crumbs grow">
          {plan === undefined ? (
            <b>{text(placeOf(path))}</b>
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
        <Link href="/machine" aria-current={path === '/machine' ? 'page' : undefined}>
          <Icon name="machine" />
          {text('machine')}
        </Link>
        <div className="end">
          <button type="button" onClick={() => setTheme(isDark ? 'light' : 'dark')}>
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
        </div>
      </nav>
      <main className="main">
        <ErrorBoundary key={path}>{children}</ErrorBoundary>
      </main>
    </div>
  );
}

/** The name of a place without a plan. */
function placeOf(path: string): TextKey {
  if (path.startsWith('/compar')) return 'compare';
  return path === '/machine' ? 'machine' : path === '/new' ? 'data' : 'home';
}
