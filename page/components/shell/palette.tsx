// Ctrl+K finds screens, actions and jobs, and offers a full search for the typed text.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { get } from '../../core/api.ts';
import { commandText } from '../../core/format.ts';
import { togglePause } from '../../core/live.ts';
import { close, isPaletteOpen, isSheetOpen, open } from '../../core/overlays.ts';
import { PLACES } from '../../core/places.ts';
import { hrefOf, itemHref, navigate } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import { chooseTheme, THEME_ICONS, THEMES } from '../../core/theme.ts';
import type { Job, Role } from '../../core/types.ts';
import { Dialog } from '../dialog.tsx';
import { Icon, type IconName } from '../icon.tsx';
import { StateShape } from '../state.tsx';

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly note?: string;
  readonly icon?: IconName;
  readonly job?: Job;
  /** The role that is required to see this entry. */
  readonly role?: Role;
  readonly run: () => void;
}

const JOBS_SHOWN = 8;
const TYPING_MS = 120;

export function Palette() {
  return isPaletteOpen.value ? <OpenPalette /> : null;
}

function OpenPalette() {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const jobs = useJobs(text);
  const entries = useMemo(() => entriesFor(text, jobs), [text, jobs]);
  const at = Math.min(chosen, entries.length - 1);
  const run = (entry: Entry | undefined): void => {
    close(isPaletteOpen)();
    entry?.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setChosen((at + step + entries.length) % entries.length);
    else if (event.key === 'Enter') run(entries[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Search everything" kind="palette" isTitleHidden onClose={close(isPaletteOpen)}>
      <div class="palette-search">
        <Icon name="search" />
        <input
          role="combobox"
          aria-label="Search everything"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={entries[at] && `palette-${entries[at].id}`}
          placeholder="Screen, action or job"
          autoComplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id="palette-list" class="palette-list" role="listbox" aria-label="results">
        {entries.map((entry, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input above handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          <div
            key={entry.id}
            id={`palette-${entry.id}`}
            role="option"
            aria-selected={i === at}
            class="palette-entry"
            onClick={() => run(entry)}
            onMouseMove={() => setChosen(i)}
          >
            {entry.job ? <StateShape state={entry.job.state} /> : <Icon name={entry.icon ?? 'right'} />}
            <span class="cut">{entry.title}</span>
            {entry.note && <span class="muted small cut">{entry.note}</span>}
          </div>
        ))}
      </div>
    </Dialog>
  );
}

/** Searches after typing pauses; text that is not a valid filter finds nothing. */
function useJobs(text: string): readonly Job[] {
  const [jobs, setJobs] = useState<readonly Job[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      if (text.trim() === '') return setJobs([]);
      const path = hrefOf('/jobs', { filter: text.trim(), limit: String(JOBS_SHOWN) });
      const found = await get<{ jobs: Job[] }>(path, controller.signal).catch(() => ({ jobs: [] }));
      if (!controller.signal.aborted) setJobs(found.jobs);
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  return jobs;
}

function entriesFor(text: string, jobs: readonly Job[]): Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ title, role = 'viewer' }: Entry): boolean =>
    may(role) && words.every((word) => title.toLowerCase().includes(word));
  const search = text.trim() === '' ? [] : [searchFor(text.trim())];
  return [...FIXED.filter(fits), ...jobs.map(entryOf), ...search];
}

const entryOf = (job: Job): Entry => ({
  id: `job-${job.id}`,
  title: `${job.id}  ${commandText(job.command)}`,
  note: job.queue,
  job,
  run: () => navigate(itemHref('jobs', job.id)),
});

const searchFor = (text: string): Entry => ({
  id: 'search',
  title: `Search jobs for ${text}`,
  icon: 'search',
  run: () => navigate(hrefOf('/jobs', { filter: text })),
});

const form = (title: string, role: Role, href: string): Entry => ({
  id: title.replaceAll(' ', '-'),
  title,
  icon: 'plus',
  role,
  run: () => navigate(href),
});

const FIXED: readonly Entry[] = [
  ...PLACES.map(({ href, title, icon, key, role = 'viewer' }) => ({
    id: `place-${key}`,
    title,
    note: `g ${key}`,
    icon,
    role,
    run: () => navigate(href),
  })),
  form('New job', 'enqueuer', '/jobs?new=1'),
  form('New schedule', 'operator', '/schedules?new=1'),
  form('Add a recipe', 'admin', '/recipes?add=1'),
  form('Set a secret', 'admin', '/secrets?set=*'),
  form('New token', 'admin', '/access?add=token'),
  ...THEMES.map((name) => ({
    id: `theme-${name}`,
    title: `Colours: ${name}`,
    icon: THEME_ICONS[name],
    run: () => chooseTheme(name),
  })),
  { id: 'pause', title: 'Pause or resume live updates', note: 'p', icon: 'hold', run: togglePause },
  { id: 'keys', title: 'Keys', note: '?', icon: 'keyboard', run: open(isSheetOpen) },
];
