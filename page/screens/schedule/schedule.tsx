// A schedule with its next and past runs.

import { type Fact, Facts, variables, WhenAndAgo } from '../../components/facts.tsx';
import { Loading, Problem } from '../../components/feedback.tsx';
import { sentence } from '../../core/sentence.ts';
import { SameCommands } from '../../components/same-commands.tsx';
import { Screen, Section } from '../../components/screen.tsx';
import { type Limits, limitsText } from '../../isolation/limits.ts';
import { duration, shellWord } from '../../core/format.ts';
import { useResource } from '../../core/resource.ts';
import { itemHref, type Parameters, queryOf, setQuery } from '../../core/router.ts';
import type { Schedule } from '../../core/types.ts';
import { CommandBlock } from '../job/command-block.tsx';
import { NextTimes } from '../schedules/next-times.tsx';
import { CATCH_UPS, OVERLAPS, ScheduleForm } from '../schedules/schedule-form.tsx';
import { ScheduleState } from '../schedules/schedule-state.tsx';
import { commandOf } from '../schedules/schedule-table.tsx';
import { Ticks } from './ticks.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';
import { Button } from '../../components/button.tsx';
import { useKeys } from '../../core/keys.ts';
import { may } from '../../core/session.ts';
import { sayFailed } from '../../core/toasts.ts';
import { pause, resume, runNow } from '../schedules/schedule-actions.ts';

export default function ScheduleScreen({ parameters }: { parameters: Parameters }) {
  const name = parameters.name ?? '';
  const { data, error, reload } = useResource<Schedule>(itemHref('schedules', name));
  const schedule = data?.name === name ? data : undefined;
  if (schedule) return <Loaded schedule={schedule} />;
  return <Screen title={name}>{error ? <Problem error={error} onRetry={reload} /> : <Loading rows={8} />}</Screen>;
}

const Loaded = ({ schedule }: { schedule: Schedule }) => (
  <Screen
    title={`Schedule ${schedule.name}`}
    heading={<Heading schedule={schedule} />}
    actions={<ScheduleButtons schedule={schedule} />}
  >
    <p class="schedule-words">
      {sentence(schedule.words)} <span class="muted">{schedule.time_zone}</span>
    </p>
    <CommandBlock command={commandOf(schedule) as string} />
    <div class="two-columns">
      <div>
        <Section title="Next runs" note={noteOf(schedule)}>
          {schedule.next.length > 0 ? (
            <div class="next-frame">
              <NextTimes times={schedule.next} zone={schedule.time_zone} />
            </div>
          ) : (
            <p class="muted wait-reason">No more runs.</p>
          )}
        </Section>
        <Ticks name={schedule.name} />
        <SameCommands commands={commandsOf(schedule)} />
      </div>
      <Facts facts={factsOf(schedule)} />
    </div>
  </Screen>
);

const noteOf = ({ state, jitter_seconds }: Schedule): string | undefined => {
  if (state === 'paused') return 'if resumed';
  return jitter_seconds > 0 ? `up to ${duration(jitter_seconds * 1000)} later (jitter)` : undefined;
};

const Heading = ({ schedule }: { schedule: Schedule }) => (
  <span class="heading-row">
    {schedule.name} <ScheduleState state={schedule.state} />
  </span>
);

function factsOf(schedule: Schedule): Fact[] {
  const { command: _command, env, cwd, limits, secrets, params, ...more } = schedule.job;
  const window = schedule.catch_up_window_seconds;
  return [
    ['cron', schedule.cron && <span class="mono">{schedule.cron}</span>],
    ['overlap', OVERLAPS.find(({ value }) => value === schedule.overlap)?.words],
    ['missed runs', CATCH_UPS.find(({ value }) => value === schedule.catch_up)?.words],
    ['catch-up window', window === null ? null : duration(window * 1000)],
    ['jitter', schedule.jitter_seconds > 0 ? duration(schedule.jitter_seconds * 1000) : null],
    ['paused', schedule.paused_at && <WhenAndAgo at={schedule.paused_at} />],
    ...Object.entries(more).map(([name, value]): Fact => [name.replaceAll('_', ' '), textOf(value)]),
    ['params', variables(params)],
    ['limits', limitsText((limits ?? null) as Limits | null)],
    ['secrets', ((secrets ?? []) as string[]).join(' ')],
    ['directory', typeof cwd === 'string' ? <span class="mono">{cwd}</span> : null],
    ['env', variables(env)],
    ['added', <WhenAndAgo key="added" at={schedule.created_at} />],
  ];
}

const textOf = (value: unknown): string | null =>
  value === null ? null : typeof value === 'string' ? value : JSON.stringify(value);

function commandsOf({ name, state }: Schedule): string[] {
  const word = shellWord(name);
  return [
    `queuectl schedule show ${word}`,
    `queuectl schedule next ${word}`,
    `queuectl schedule run ${word}`,
    state === 'paused' ? `queuectl schedule resume ${word}` : `queuectl schedule pause ${word}`,
    `queuectl list schedule:${word}`,
  ];
}

function ScheduleButtons({ schedule }: { schedule: Schedule }) {
  const { name, state } = schedule;
  useKeys([
    { keys: 'e', does: 'edit', part: 'Schedule', run: () => may('operator') && openForm() },
    {
      keys: 'r',
      does: 'run now',
      part: 'Schedule',
      run: () => may('operator') && runNow(name).catch(sayFailed),
    },
  ]);
  if (!may('operator')) return null;
  return (
    <>
      <Button icon="play" onPress={() => runNow(name)}>
        Run now
      </Button>
      {state === 'paused' && (
        <Button icon="retry" kind="primary" onPress={() => resume(name)}>
          Resume
        </Button>
      )}
      {state === 'active' && (
        <Button icon="hold" onPress={() => pause(name)}>
          Pause
        </Button>
      )}
      <Button icon="edit" onPress={openForm}>
        Edit
      </Button>
      <DeleteButton
        noun="schedule"
        name={name}
        consequence="The schedule and the history of its runs are deleted. Its jobs stay."
      />
      {queryOf('edit') !== '' && <ScheduleForm schedule={schedule} onClose={closeForm} />}
    </>
  );
}

const openForm = (): void => setQuery({ edit: '1' }, 'push');
const closeForm = (): void => setQuery({ edit: '' });
