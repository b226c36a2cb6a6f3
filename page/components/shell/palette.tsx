// Ctrl+K finds screens, actions and jobs, and offers a full search for the typed text.

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Role } from '../../../src/server/role.ts';
import { get } from '../../core/api.ts';
import { commandText } from '../../core/format.ts';
import { togglePause } from '../../core/live.ts';
import { isPaletteOpen, isSheetOpen } from '../../core/overlays.ts';
import { PLACES } from '../../core/places.ts';
import { hrefOf, navigate } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import { chooseTheme, THEMES } from '../../core/theme.ts';
import type { Job } from '../../core/types.ts';
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

const close = (): void => {
  isPaletteOpen.value = false;
};

function OpenPalette() {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const jobs = useJobs(text);
  const entries = useMemo(() => entriesFor(text, jobs), [text, jobs]);
  const at = Math.min(chosen, entries.length - 1);
  const run = (entry: Entry | undefined): void => {
    close();
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
    <Dialog title="Search everything" kind="palette" isTitleHidden onClose={close}>
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
  return [...FIXED.filter(fits), ...jobs.map(entryOf), ...searchFor(text.trim())];
}

const entryOf = (job: Job): Entry => ({
  id: `job-${job.id}`,
  title: `${job.id}  ${commandText(job.command)}`,
  note: job.queue,
  job,
  run: () => navigate(`/jobs/${encodeURIComponent(job.id)}`),
});

const searchFor = (text: string): Entry[] =>
  text === ''
    ? []
    : [
        {
          id: 'search',
          title: `Search jobs for ${text}`,
          icon: 'search',
          run: () => navigate(hrefOf('/jobs', { filter: text })),
        },
      ];

const FIXED: readonly Entry[] = [
  ...PLACES.map(({ href, title, icon, key, role = 'viewer' }) => ({
    id: `place-${key}`,
    title,
    note: `g ${key}`,
    icon,
    role,
    run: () => navigate(href),
  })),
  { id: 'new-job', title: 'New job', icon: 'plus', role: 'enqueuer', run: () => navigate('/jobs?new=1') },
  {
    id: 'new-schedule',
    title: 'New schedule',
    icon: 'plus',
    role: 'operator',
    run: () => navigate('/schedules?new=1'),
  },
  {
    id: 'new-recipe',
    title: 'Add a recipe',
    icon: 'plus',
    role: 'admin',
    run: () => navigate('/recipes?add=1'),
  },
  {
    id: 'new-secret',
    title: 'Set a secret',
    icon: 'plus',
    role: 'admin',
    run: () => navigate('/secrets?set=*'),
  },
  {
    id: 'new-token',
    title: 'New token',
    icon: 'plus',
    role: 'admin',
    run: () => navigate('/access?add=token'),
  },
  ...THEMES.map((name) => ({
    id: `theme-${name}`,
    title: `Colours: ${name}`,
    icon: ({ system: 'screen', light: 'sun', dark: 'moon' } as const)[name],
    run: () => chooseTheme(name),
  })),
  { id: 'pause', title: 'Pause or resume live updates', note: 'p', icon: 'hold', run: togglePause },
  {
    id: 'keys',
    title: 'Keys',
    note: '?',
    icon: 'keyboard',
    run: () => {
      isSheetOpen.value = true;
    },
  },
];
