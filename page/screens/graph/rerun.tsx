// Retries a part of a workflow after showing which jobs would run.

import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Problem } from '../../components/feedback.tsx';
import { type Choice, ChoiceField } from '../../components/form/fields.tsx';
import { FormDialog } from '../../components/form/form.tsx';
import { State } from '../../components/state.tsx';
import { stateColumn } from '../../components/table/columns.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { send } from '../../core/api.ts';
import { commandText, count, counted, shellWord } from '../../core/format.ts';
import { reloadAll } from '../../core/resource.ts';
import { may } from '../../core/session.ts';
import { sayDone } from '../../core/toasts.ts';
import type { Rerun, RerunMode } from '../../core/types.ts';

const MODES: readonly Choice<RerunMode>[] = [
  { value: 'failed-and-downstream', words: 'failed jobs and their dependents' },
  { value: 'failed-only', words: 'failed jobs only' },
  { value: 'all', words: 'all jobs and their dependents' },
];

/** `target` is a job ID or 'group:NAME'. */
export function RerunButton({ target }: { target: string }) {
  const [isOpen, setOpen] = useState(false);
  if (!may('operator')) return null;
  return (
    <>
      <Button icon="retry" onPress={() => setOpen(true)}>
        Retry part
      </Button>
      {isOpen && <RerunDialog target={target} onClose={() => setOpen(false)} />}
    </>
  );
}

function RerunDialog({ target, onClose }: { target: string; onClose: () => void }) {
  const [mode, setMode] = useState<RerunMode>('failed-and-downstream');
  const { plan, error } = usePlan(target, mode);
  const total = plan ? plan.retry.length + plan.block.length : 0;
  const run = async (): Promise<void> => {
    if (total === 0) throw new Error(nothing(mode));
    const { retry, block } = await rerun(target, mode, false);
    const again = retry.length + block.length;
    sayDone(`${counted(again, 'job')} of ${target} retried`);
    reloadAll();
    onClose();
  };
  return (
    <FormDialog
      title="Retry part"
      action={total > 0 ? `Retry ${counted(total, 'job')}` : 'Retry'}
      command={`queuectl retry ${shellWord(target)} --${mode}`}
      isWide
      onClose={onClose}
      onSend={run}
    >
      <ChoiceField label={`Jobs of ${target}`} value={mode} choices={MODES} onChoose={setMode} isFull />
      <div class="field full rerun-plan" role="status">
        {error ? <Problem error={error} /> : plan && <Plan plan={plan} mode={mode} />}
      </div>
    </FormDialog>
  );
}

/** Loads the plan for the chosen mode and ignores responses for earlier choices. */
function usePlan(target: string, mode: RerunMode): { plan?: Rerun; error?: unknown } {
  const [asked, setAsked] = useState<{ mode?: RerunMode; plan?: Rerun; error?: unknown }>({});
  useEffect(() => {
    let isCurrent = true;
    rerun(target, mode, true).then(
      (plan) => isCurrent && setAsked({ mode, plan }),
      (error: unknown) => isCurrent && setAsked({ mode, error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [target, mode]);
  return asked.mode === mode ? asked : {};
}

const rerun = (target: string, mode: RerunMode, isDryRun: boolean): Promise<Rerun> =>
  send<Rerun>('POST', '/jobs/rerun', { targets: [target], mode, dry_run: isDryRun });

const nothing = (mode: RerunMode): string => (mode === 'all' ? 'No job has finished yet.' : 'No job has failed.');

const COLUMNS: readonly Column<Rerun['jobs'][number]>[] = [
  stateColumn,
  {
    head: 'next state',
    width: 'fit',
    cell: ({ becomes }) => (
      <>
        <span class="muted" aria-hidden="true">
          →{' '}
        </span>
        <State state={becomes} />
      </>
    ),
  },
  {
    head: 'job',
    width: 'rest',
    class: 'mono',
    cell: ({ name, id, command }) => (
      <>
        {name ?? id} <span class="muted">{commandText(command)}</span>
      </>
    ),
  },
];

function Plan({ plan: { retry, block, jobs }, mode }: { plan: Rerun; mode: RerunMode }) {
  const [starts, waits] = [retry.length, block.length];
  if (jobs.length === 0) return <p class="muted">{nothing(mode)}</p>;
  const more = starts + waits - jobs.length;
  return (
    <>
      <p>
        {counted(starts, 'job')} would start now; {count(waits)} would wait for dependencies:
      </p>
      <div class="rerun-jobs">
        <Table columns={COLUMNS} rows={jobs} keyOf={({ id }) => id} narrow="scroll" areHeadsHidden />
      </div>
      {more > 0 && <p class="muted">and {counted(more, 'more job')}</p>}
    </>
  );
}
