// Creates or changes a schedule, with a preview of the next runs while the user types.

import { useState } from 'preact/hooks';
import { ChoiceField, TextField } from '../../components/form/fields.tsx';
import { FormDialog } from '../../components/form/form.tsx';
import { IsolationFold } from '../../isolation/isolation-fold.tsx';
import { withRecipe } from '../../isolation/given.ts';
import { WhatRuns } from '../../isolation/what-runs.tsx';
import { change } from '../../core/change.ts';
import { itemHref, navigate } from '../../core/router.ts';
import type { Schedule } from '../../core/types.ts';
import { SchedulePreview } from './preview.tsx';
import {
  addCommand,
  bodyOf,
  changeOf,
  editCommand,
  inputOf,
  isJobWhole,
  newInput,
  type ScheduleInput,
  type TimingKind,
} from './schedule-input.ts';

const KINDS: readonly { value: TimingKind; words: string; hint: string; example: string }[] = [
  { value: 'cron', words: 'by a cron expression', hint: '5 or 6 fields, or @daily', example: '30 2 * * *' },
  { value: 'every', words: 'at an interval', hint: '90s, 5m, 1h30m', example: '15m' },
  { value: 'at', words: 'once', hint: 'a date and a time', example: '2027-01-01 18:00' },
];

/** What happens if the previous job is still running. */
export const OVERLAPS = [
  { value: 'allow', words: 'start the next run in parallel' },
  { value: 'skip', words: 'skip the next run' },
  { value: 'queue', words: 'start the next run afterwards' },
  { value: 'replace', words: 'cancel it and start the next run' },
] as const;

/** What happens to missed runs. */
export const CATCH_UPS = [
  { value: 'one', words: 'run the latest one' },
  { value: 'all', words: 'run all' },
  { value: 'none', words: 'run none' },
] as const;

interface Props {
  readonly onClose: () => void;
  /** The schedule to change; a new one is created without it. */
  readonly schedule?: Schedule;
}

export function ScheduleForm({ schedule, onClose }: Props) {
  const [input, setInput] = useState<ScheduleInput>(() => (schedule ? inputOf(schedule) : newInput()));
  const set = <K extends keyof ScheduleInput>(name: K, value: ScheduleInput[K]): void =>
    setInput((before) => ({ ...before, [name]: value }));
  const setGiven = (name: string, value: string): void =>
    name === 'command'
      ? set('command', value)
      : setInput((before) => ({ ...before, given: { ...before.given, [name]: value } }));
  const kind = KINDS.find(({ value }) => value === input.kind) ?? KINDS[0];
  const isJobShown = !schedule || isJobWhole(schedule);
  const save = async (): Promise<void> => {
    await (schedule ? edit(schedule, input) : add(input));
    onClose();
    if (!schedule) navigate(itemHref('schedules', input.name.trim()));
  };
  return (
    <FormDialog
      title={schedule ? `Change ${schedule.name}` : 'New schedule'}
      action={schedule ? 'Save' : 'Add the schedule'}
      command={schedule ? editCommand(schedule, input) : addCommand(input)}
      isWide
      onClose={onClose}
      onSend={save}
    >
      {!schedule && (
        <TextField
          name="name"
          label="Name"
          value={input.name}
          onInput={(value) => set('name', value)}
          placeholder="backup"
          isRequired
        />
      )}
      <ChoiceField
        label="Runs"
        value={input.kind}
        choices={KINDS}
        onChoose={(value) => set('kind', value)}
        isFull={Boolean(schedule)}
      />
      <TextField
        label="When"
        hint={kind?.hint}
        value={input.when}
        onInput={(value) => set('when', value)}
        placeholder={kind?.example}
        isMono
        isRequired
      />
      <TextField label="Time zone" value={input.tz} onInput={(value) => set('tz', value)} placeholder="Europe/Berlin" />
      <SchedulePreview input={input} />
      {isJobShown ? (
        <>
          <WhatRuns
            given={{ ...input.given, command: input.command }}
            onInput={setGiven}
            onChoose={(recipe) => set('given', withRecipe(input.given, recipe))}
          />
          <TextField
            name="queue"
            label="Queue"
            value={input.queue}
            onInput={(value) => set('queue', value)}
            placeholder="default"
          />
        </>
      ) : (
        <p class="full muted small">
          The job has variables that only admins can see. To change its command, ask an admin or use queuectl schedule
          edit.
        </p>
      )}
      <ChoiceField
        label="If the previous job is still running"
        value={input.overlap}
        choices={OVERLAPS}
        onChoose={(value) => set('overlap', value)}
      />
      <ChoiceField
        label="Missed runs"
        value={input.catchUp}
        choices={CATCH_UPS}
        onChoose={(value) => set('catchUp', value)}
      />
      {isJobShown && <IsolationFold given={input.given} onInput={setGiven} />}
    </FormDialog>
  );
}

const add = (input: ScheduleInput): Promise<Schedule> =>
  change<Schedule>(({ name }) => `schedule ${name} added`, 'POST', '/schedules', bodyOf(input));

async function edit(schedule: Schedule, input: ScheduleInput): Promise<void> {
  const { name } = schedule;
  const changed = changeOf(schedule, input);
  if (Object.keys(changed).length > 0)
    await change(`schedule ${name} changed`, 'PATCH', itemHref('schedules', name), changed);
}
