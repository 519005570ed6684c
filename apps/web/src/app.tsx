import { lazy, Suspense, useEffect, useState } from 'react';
import { Route, Switch } from 'wouter';
import { CompareScreen } from './compare/compare-screen.tsx';
import { ComparisonScreen } from './compare/comparison-screen.tsx';
import { RunsScreen } from './compare/runs-screen.tsx';
import { DataScreen } from './data/data-screen.tsx';
import { HomeScreen } from './home/home-screen.tsx';
import { useTexts } from './i18n/texts.tsx';
import { LogScreen } from './log/log-screen.tsx';
import { ShortcutsScreen } from './palette/shortcuts-screen.tsx';
import { PlanScreen } from './plan/plan-screen.tsx';
import { openSession, type OpenSession } from './session.ts';
import { Shell } from './shell.tsx';
import { LiveProvider } from './stream/live.tsx';
import { InboxScreen } from './system/inbox-screen.tsx';
import { Locked } from './system/locked.tsx';
import { MachineScreen } from './system/machine-screen.tsx';
import { NotFound } from './system/not-found.tsx';
import { SettingsScreen } from './system/settings-screen.tsx';

/** Components in their states: fetched by who asks for it only. */
const Gallery = lazy(async () => ({ default: (await import('./system/gallery-screen.tsx')).GalleryScreen }));

type Session =
  | { readonly state: 'opening' }
  | { readonly state: 'locked'; readonly error?: unknown }
  | ({ readonly state: 'open' } & OpenSession);

export function App() {
  const { text } = useTexts();
  const [session, setSession] = useState<Session>({ state: 'opening' });
  useEffect(() => {
    openSession().then(
      (open) => setSession(open === undefined ? { state: 'locked' } : { state: 'open', ...open }),
      (error: unknown) => setSession({ state: 'locked', error }),
    );
  }, []);
  if (session.state === 'opening') return <p className="empty dim">{text('opening')}</p>;
  if (session.state === 'locked') return <Locked error={session.error} />;
  return (
    <LiveProvider client={session.client} source={session.source}>
      <Shell>
        <Switch>
          <Route path="/">
            <HomeScreen />
          </Route>
          <Route path="/new">
            <DataScreen />
          </Route>
          <Route path="/machine">
            <MachineScreen />
          </Route>
          <Route path="/inbox">
            <InboxScreen />
          </Route>
          <Route path="/settings">
            <SettingsScreen />
          </Route>
          <Route path="/shortcuts">
            <ShortcutsScreen />
          </Route>
          <Route path="/gallery">
            <Suspense>
              <Gallery />
            </Suspense>
          </Route>
          <Route path="/logs/:quest/:session/:stream">
            {({ quest, session, stream }) => (
              <LogScreen key={session} quest={quest} session={session} stream={stream} />
            )}
          </Route>
          <Route path="/plans/:plan/:tab?">
            {({ plan, tab }) => (
              <PlanScreen key={plan} id={plan} tab={tab === 'report' || tab === 'attempts' ? tab : 'graph'} />
            )}
          </Route>
          <Route path="/compare">
            <CompareScreen />
          </Route>
          <Route path="/compare/:first/:second">
            {({ first, second }) => <RunsScreen first={first} second={second} />}
          </Route>
          <Route path="/comparisons/:quest/:artifact">
            {({ quest, artifact }) => <ComparisonScreen quest={quest} artifact={artifact} />}
          </Route>
          <Route>
            <NotFound />
          </Route>
        </Switch>
      </Shell>
    </LiveProvider>
  );
}
