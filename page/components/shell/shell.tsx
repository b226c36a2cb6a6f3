// The frame around all screens: navigation, live status and session.

import type { ComponentChildren } from 'preact';
import { now } from '../../core/clock.ts';
import { clockTime, count, relative } from '../../core/format.ts';
import { liveState, notLiveSince, togglePause, trouble } from '../../core/live.ts';
import { close, isDrawerOpen, isPaletteOpen, isSheetOpen, open } from '../../core/overlays.ts';
import { PLACES, type Place, SMALL_PLACES } from '../../core/places.ts';
import { path } from '../../core/router.ts';
import { logOut, may, session } from '../../core/session.ts';
import { stats } from '../../core/stats.ts';
import { chooseTheme, nextTheme, THEME_ICONS, theme } from '../../core/theme.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { Icon } from '../icon.tsx';

export function Shell({ children }: { children: ComponentChildren }) {
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <nav class="bar" aria-label="navigation">
        <Brand />
        <Places />
        <div class="bar-end">
          <Live />
          <Tools />
        </div>
      </nav>
      <main class="main" id="main">
        <NotLive />
        {children}
      </main>
      <PhoneBar />
      {isDrawerOpen.value && <Drawer />}
    </div>
  );
}

const Brand = () => (
  <>
    <div class="brand">
      <svg width="18" height="18" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
        <rect x="1" y="2.5" width="14" height="2.8" rx="1.4" />
        <rect x="1" y="6.6" width="9.5" height="2.8" rx="1.4" opacity=".75" />
        <rect x="1" y="10.7" width="5.5" height="2.8" rx="1.4" opacity=".5" />
      </svg>
      queuectl
    </div>
    <div class="place-name cut" title={session.value?.database}>
      {nameOf(session.value?.database ?? '')}
    </div>
  </>
);

/** The last two segments of a path identify it best. */
const nameOf = (place: string): string => place.split('/').slice(-2).join('/');

const isHere = (place: Place): boolean =>
  place.href === '/' ? path.value === '/' : path.value === place.href || path.value.startsWith(`${place.href}/`);

function Places() {
  const places = PLACES.filter(({ role = 'viewer' }) => may(role));
  return (
    <>
      {places.filter(({ isSetUp }) => !isSetUp).map(item)}
      <div class="nav-rule" />
      {places.filter(({ isSetUp }) => isSetUp).map(item)}
    </>
  );
}

const item = (place: Place) => <NavItem key={place.href} place={place} />;

function NavItem({ place }: { place: Place }) {
  const n = place.countIn && stats.value ? place.countIn(stats.value) : 0;
  return (
    <a class="nav-item" href={place.href} aria-current={isHere(place) ? 'page' : undefined}>
      <Icon name={place.icon} />
      {place.title}
      {n > 0 && <span class={`nav-count${place.isBad ? ' bad' : ''}`}>{count(n)}</span>}
    </a>
  );
}

/** Shows whether the page is live; pressing it pauses or resumes updates. */
function Live() {
  const state = liveState.value;
  const since = notLiveSince.value;
  const words = {
    live: 'Live',
    connecting: 'Connecting',
    paused: `Paused ${since ? clockTime(since) : ''}`,
    lost: `Not live since ${since ? clockTime(since) : ''}`,
  }[state];
  const action = state === 'paused' ? 'resume' : 'pause';
  return (
    <button type="button" class="live" data-state={state} onClick={togglePause} title={action}>
      <span class="live-dot" />
      <span>{words}</span>
      <span class="live-action">
        <Icon name={state === 'paused' ? 'play' : 'hold'} size={14} label={action} />
      </span>
    </button>
  );
}

/** A banner, because outdated numbers look like numbers that do not change. */
const NotLive = () => {
  const words = staleWords();
  return (
    <div role="status">
      {words && (
        <div class="notice">
          <Icon name="warning" />
          {words}
        </div>
      )}
    </div>
  );
};

/** Shorter interruptions are not reported. */
const SILENCE_MS = 1500;

function staleWords(): string | null {
  const since = notLiveSince.value;
  if (since === null) return trouble.value && `The server cannot read the database: ${trouble.value.detail}`;
  if (liveState.value === 'paused') return `Paused at ${clockTime(since)}: this page shows the state at that time.`;
  if (now.value - since < SILENCE_MS) return null;
  const ago = relative(since, now.value);
  return `Not live since ${clockTime(since)} (${ago}): the server is not responding. Reconnecting.`;
}

function Tools() {
  return (
    <div class="bar-tools">
      <span class="who cut" title={session.value ? `${session.value.name}, ${session.value.role}` : ''}>
        {session.value?.name}
        {session.value?.read_only && ' · read-only'}
      </span>
      <Button icon="search" kind="quiet" label="Search everything (Ctrl K)" onPress={open(isPaletteOpen)} />
      <Button
        icon={THEME_ICONS[theme.value]}
        kind="quiet"
        label={`Colours: ${theme.value}`}
        onPress={() => chooseTheme(nextTheme())}
      />
      <Button icon="keyboard" kind="quiet" label="Keys (?)" onPress={open(isSheetOpen)} />
      <Button icon="out" kind="quiet" label="Log out" onPress={logOut} />
    </div>
  );
}

function PhoneBar() {
  const shown = PLACES.filter(({ href }) => SMALL_PLACES.includes(href));
  const isElsewhere = !shown.some(isHere);
  return (
    <nav class="phone-bar" aria-label="navigation on a phone">
      {shown.map((place) => (
        <a key={place.href} href={place.href} aria-current={isHere(place) ? 'page' : undefined}>
          <Icon name={place.icon} size={20} />
          {place.short ?? place.title}
        </a>
      ))}
      <button type="button" aria-current={isElsewhere ? 'page' : undefined} onClick={open(isDrawerOpen)}>
        <Icon name="menu" size={20} />
        More
      </button>
    </nav>
  );
}

const Drawer = () => (
  <Dialog title="Screens" kind="drawer" onClose={close(isDrawerOpen)}>
    {/* biome-ignore lint/a11y/useKeyWithClickEvents: the links inside receive the clicks */}
    <nav class="drawer" aria-label="all screens" onClick={close(isDrawerOpen)}>
      <Places />
    </nav>
    <Live />
    <Tools />
  </Dialog>
);
