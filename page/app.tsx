// Which screen is shown: log-in until somebody is known, then what the address says. Screens but the first are loaded when
// they are opened.

import { effect } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Confirm } from './components/dialog.tsx';
import { Empty, Loading, Problem, RowsHeld, Toasts } from './components/feedback.tsx';
import { KeySheet, useShellKeys } from './components/shell/key-sheet.tsx';
import { LogIn } from './components/shell/log-in.tsx';
import { Palette } from './components/shell/palette.tsx';
import { Screen } from './components/screen.tsx';
import { Shell } from './components/shell/shell.tsx';
import { isLoggedOut } from './core/api.ts';
import { isLive, startLive, stopLive } from './core/live.ts';
import { forgetAll } from './core/resource.ts';
import { match, type Parameters, path } from './core/router.ts';
import { session } from './core/session.ts';
import { startStats } from './core/stats.ts';
import { Overview } from './screens/overview/overview.tsx';
import { SCREENS } from './screens/screens.ts';

export type ScreenComponent = ComponentType<{ parameters: Parameters }>;

startStats();
effect(() => {
  if (session.value && !isLoggedOut.value) startLive();
  else {
    stopLive();
    forgetAll();
  }
});

export function App() {
  if (isLoggedOut.value) return <LogIn />;
  if (!session.value) return null; // a moment: it is being asked who this is
  return (
    <>
      <Shell>
        <Current />
      </Shell>
      <Overlays />
    </>
  );
}

function Overlays() {
  useShellKeys();
  return (
    <>
      <Palette />
      <KeySheet />
      <Confirm />
      <RowsHeld />
      <Toasts />
    </>
  );
}

function Current() {
  const here = path.value;
  if (here === '/') return <Overview />;
  for (const [pattern, load] of Object.entries(SCREENS)) {
    const parameters = match(pattern, here);
    if (parameters) return <Lazy key={pattern} load={load} parameters={parameters} />;
  }
  return (
    <Screen title="Nothing here">
      <Empty title={`There is nothing at ${here}`} command="queuectl list">
        The address may be mistyped, or what it named may be gone.
      </Empty>
    </Screen>
  );
}

type Load = () => Promise<{ default: ScreenComponent }>;

function Lazy({ load, parameters }: { load: Load; parameters: Parameters }) {
  const [loaded, setLoaded] = useState<{ Component?: ScreenComponent; error?: unknown }>({});
  useEffect(() => {
    load().then(
      (module) => setLoaded({ Component: module.default }),
      (error: unknown) => setLoaded({ error }),
    );
  }, [load]);
  if (loaded.error) return <NotLoaded />;
  return loaded.Component ? (
    <loaded.Component parameters={parameters} />
  ) : (
    <div class="screen">
      <Loading />
    </div>
  );
}

/**
 * The code of a screen did not arrive: the server was away, or is of another version by now. A browser remembers a failed import,
 * so the page is loaded anew, by itself when the server is back.
 */
function NotLoaded() {
  const wasLive = useRef(isLive.peek());
  const isBack = isLive.value && !wasLive.current;
  wasLive.current &&= isLive.value;
  useEffect(() => {
    if (isBack) location.reload();
  }, [isBack]);
  const error = isLive.value
    ? new Error('This part of the page could not be loaded: it may be of an older version.')
    : new Error(
        'This part of the page could not be loaded: the server does not answer. It comes when the server is back.',
      );
  return (
    <Screen title="Reload">
      <Problem error={error} onRetry={() => location.reload()} />
    </Screen>
  );
}
