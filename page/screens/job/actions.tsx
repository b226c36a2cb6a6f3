// Actions that are possible in the current state of the job. Destructive actions ask for confirmation.

import { useState } from 'preact/hooks';
import { isFinal } from '../../../src/job/job.ts';
import { DeleteButton } from '../../components/delete-button.tsx';
import { Button } from '../../components/button.tsx';
import { confirm } from '../../components/dialog.tsx';
import type { IconName } from '../../components/icon.tsx';
import { change } from '../../core/change.ts';
import { useKeys } from '../../core/keys.ts';
import { itemHref } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import { sayFailed } from '../../core/toasts.ts';
import type { Job, JobState } from '../../core/types.ts';
import { JobForm } from '../jobs/job-form.tsx';

const WAITING: readonly JobState[] = ['pending', 'blocked', 'failed'];

interface Action {
  readonly verb: string;
  readonly words: string;
  /** The outcome, as in 'job build held'. */
  readonly done: string;
  readonly icon: IconName;
  readonly key: string;
  readonly fits: (job: Job) => boolean;
}

const ACTIONS: readonly Action[] = [
  {
    verb: 'retry',
    words: 'Retry',
    done: 'requeued',
    icon: 'retry',
    key: 'r',
    fits: ({ state }) => isFinal(state) || state === 'failed',
  },
  {
    verb: 'run-now',
    words: 'Run now',
    done: 'scheduled to run now',
    icon: 'play',
    key: 'w',
    fits: ({ state, next_run_at }) =>
      WAITING.includes(state) && state !== 'blocked' && next_run_at !== null && Date.parse(next_run_at) > Date.now(),
  },
  {
    verb: 'hold',
    words: 'Hold',
    done: 'held',
    icon: 'hold',
    key: 'h',
    fits: ({ state, held }) => WAITING.includes(state) && !held,
  },
  { verb: 'release', words: 'Release', done: 'released', icon: 'right', key: 'h', fits: ({ held }) => held },
];

/** Retrying a completed job needs confirmation, because its command runs a second time. */
async function act(job: Job, action: Action): Promise<void> {
  if (action.verb === 'retry' && job.state === 'completed') askToRunAgain(job, action);
  else await perform(job, action);
}

const perform = (job: Job, { verb, done }: Pick<Action, 'verb' | 'done'>): Promise<unknown> =>
  change(`job ${job.id} ${done}`, 'POST', `${itemHref('jobs', job.id)}/${verb}`);

export function JobActions({ job }: { job: Job }) {
  const [form, setForm] = useState<'edit' | 'clone' | null>(null);
  const actions = may('operator') ? ACTIONS.filter(({ fits }) => fits(job)) : [];
  useKeys(
    actions.map((action) => ({
      keys: action.key,
      does: action.words.toLowerCase(),
      part: 'Job',
      run: () => void act(job, action).catch(sayFailed),
    })),
  );
  return (
    <>
      {actions.map((action) => (
        <Button key={action.verb} icon={action.icon} onPress={() => act(job, action)}>
          {action.words}
        </Button>
      ))}
      {may('operator') && !isFinal(job.state) && (
        <Button icon="cancel" onPress={() => askToCancel(job)}>
          Cancel
        </Button>
      )}
      {may('operator') && WAITING.includes(job.state) && (
        <Button icon="edit" onPress={() => setForm('edit')}>
          Edit
        </Button>
      )}
      {may('enqueuer') && (
        <Button icon="clone" onPress={() => setForm('clone')}>
          Clone
        </Button>
      )}
      {may('operator') && job.state !== 'processing' && (
        <DeleteButton
          noun="job"
          name={job.id}
          consequence="Deletes the job with its history and output. This cannot be undone."
        />
      )}
      {form && <JobForm title={TITLES[form]} like={job} isEdit={form === 'edit'} onClose={() => setForm(null)} />}
    </>
  );
}

const TITLES = { edit: 'Edit the job', clone: 'Clone the job' };

const askToRunAgain = (job: Job, action: Action): void =>
  confirm({
    title: `Retry ${job.id}?`,
    text: <p>This job has completed. Its command runs a second time, starting with attempt 1.</p>,
    action: 'Retry the job',
    run: () => perform(job, action),
  });

const askToCancel = (job: Job): void =>
  confirm({
    title: `Cancel ${job.id}?`,
    text: <p>{job.state === 'processing' ? 'The job is running and will be stopped. ' : ''}You can retry it later.</p>,
    action: 'Cancel the job',
    isDangerous: true,
    run: () => perform(job, { verb: 'cancel', done: 'cancelled' }),
  });
