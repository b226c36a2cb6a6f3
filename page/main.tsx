// Entry point. The theme comes first so that the page does not flash, then the session, then the screens.

import './style/index.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { startClock } from './core/clock.ts';
import { startKeys } from './core/keys.ts';
import { startRouter } from './core/router.ts';
import { startSession } from './core/session.ts';
import { startTheme } from './core/theme.ts';

startTheme();
startClock();
startRouter();
startKeys();
void startSession();

const root = document.getElementById('page');
if (root) render(<App />, root);
