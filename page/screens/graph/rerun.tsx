// A part of a flow again: what failed, that and what waits for it, or everything. What would run is shown before it does.

import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Problem } from '../../components/feedback.tsx';
import { type Choice, ChoiceField } from '../../components/form/fields.tsx';
import { FormDialog } from '../../components/form/form.tsx';
import { State } from '../../components/state.tsx';
import { send } from '../../core/api.ts';
import { commandText, count, counted, shellWord } from '../../core/format.ts';
import { reloadAll } from '../../core/resource.ts';
import { may } from '../../core/session.ts';
import { sayDone } from '../../core/toasts.ts';
import type { Rerun, RerunMode } from '../../core/types.ts';

const MODES: readonly Choice<RerunMode>[] = [
  { value: 'failed-and-downstream', words: 'what failed, and what waits for it' },
  { value: 'failed-only', words: 'what failed' },
  { value: 'all', words: 'everything, and what waits for it' },
];

/** `target`: a job's id, or 'group:NAME'. */
export function RerunButton({ target }: { target: string }) {
  const [isOpen, setOpen] = useState(false);
  if (!may('operator')) return null;
  return (
    <>
      <Button icon="retry" onPress={() => setOpen(true)}>
        Retry a part
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
    sayDone(`${counted(again, 'job')} of ${target} ${again === 1 ? 'runs' : 'run'} again`);
    reloadAll();
    onClose();
  };
  return (
    <FormDialog
      title="Retry a part"
      action={total > 0 ? `Run ${counted(total, 'job')} again` : 'Run again'}
      command={`queuectl retry ${shellWord(target)} --${mode}`}
      isWide
      onClose={onClose}
      onSend={run}
    >
      <ChoiceField label={`Of ${target}`} value={mode} choices={MODES} onChoose={setMode} isFull />
      <div class="field full rerun-plan" role="status">
        {error ? <Problem error={error} /> : plan && <Plan plan={plan} mode={mode} />}
      </div>
    </FormDialog>
  );
}

/** What would run, asked anew whenever the choice changes; what was asked before no longer counts. */
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

const nothing = (mode: RerunMode): string =>
  mode === 'all' ? 'Nothing has run yet.' : 'Nothing has failed.';

function Plan({ plan: { retry, block, jobs }, mode }: { plan: Rerun; mode: RerunMode }) {
  const [starts, waits] = [retry.length, block.length];
  if (jobs.length === 0) return <p class="muted">{nothing(mode)}</p>;
  const more = starts + waits - jobs.length;
  return (
    <>
      <p>
        {counted(starts, 'job')} would run now, {count(waits)} would wait for {starts === 1 ? 'it' : 'them'}:
      </p>
      <div class="table-frame rerun-jobs">
        <table class="table">
          <tbody>
            {jobs.map((job) => (
              <tr key={job.id}>
                <td class="narrow">
                  <State state={job.state} />
                </td>
                <td class="narrow nowrap">
                  <span class="muted" aria-hidden="true">
                    →{' '}
                  </span>
                  <State state={job.becomes} />
                </td>
                <td class="mono stretch">
                  <div class="cut">
                    {job.name ?? job.id} <span class="muted">{commandText(job.command)}</span>
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more > 0 && <p class="muted">and {counted(more, 'more job')}</p>}
    </>
  );
}
