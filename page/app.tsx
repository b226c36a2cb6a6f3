// Selects the screen: the login until a session exists, then the one in the URL. All screens except the overview are
// loaded when they are opened.

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
  if (!session.value) return null; // while the session is loading
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
    <Screen title="Not found">
      <Empty title={`Page ${here} not found`} command="queuectl list">
        The address may be mistyped, or the item may have been deleted.
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
 * Shown if the code of a screen could not be loaded, because the server was unreachable or has been updated. Browsers
 * cache failed imports, so the whole page is reloaded, automatically when the server is back.
 */
function NotLoaded() {
  const wasLive = useRef(isLive.peek());
  const isBack = isLive.value && !wasLive.current;
  wasLive.current &&= isLive.value;
  useEffect(() => {
    if (isBack) location.reload();
  }, [isBack]);
  const error = isLive.value
    ? new Error('This screen could not be loaded. The server may have been updated.')
    : new Error(
        'This screen could not be loaded because the server is not responding. It loads when the server is back.',
      );
  return (
    <Screen title="Reload">
      <Problem error={error} onRetry={() => location.reload()} />
    </Screen>
  );
}
