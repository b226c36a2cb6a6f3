// Actions that are possible in the current state of the job. Destructive actions ask for confirmation.

import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { confirm } from '../../components/dialog.tsx';
import type { IconName } from '../../components/icon.tsx';
import { send } from '../../core/api.ts';
import { useKeys } from '../../core/keys.ts';
import { reloadAll } from '../../core/resource.ts';
import { navigate } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import { sayDone, sayFailed } from '../../core/toasts.ts';
import type { Job, JobState } from '../../core/types.ts';
import { JobForm } from '../jobs/job-form.tsx';

const WAITING: readonly JobState[] = ['pending', 'blocked', 'failed'];
const AGAIN: readonly JobState[] = ['failed', 'dead', 'completed', 'cancelled'];

interface Action {
  readonly verb: string;
  readonly words: string;
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
    fits: ({ state }) => AGAIN.includes(state),
  },
  {
    verb: 'run-now',
    words: 'Run now',
    done: 'scheduled to run now',
    icon: 'play',
    key: 'w',
    fits: isLater,
  },
  {
    verb: 'hold',
    words: 'Hold',
    done: 'held',
    icon: 'hold',
    key: 'h',
    fits: (job) => WAITING.includes(job.state) && !job.held,
  },
  {
    verb: 'release',
    words: 'Release',
    done: 'released',
    icon: 'right',
    key: 'h',
    fits: (job) => job.held,
  },
];

function isLater(job: Job): boolean {
  const isDue = job.next_run_at === null || Date.parse(job.next_run_at) <= Date.now();
  return WAITING.includes(job.state) && job.state !== 'blocked' && !isDue;
}

const pathOf = (job: Job): string => `/jobs/${encodeURIComponent(job.id)}`;

/** Retrying a completed job needs confirmation, because its command runs a second time. */
async function act(job: Job, action: Action): Promise<void> {
  if (action.verb === 'retry' && job.state === 'completed') askToRunAgain(job, action);
  else await perform(job, action);
}

async function perform(job: Job, { verb, done }: Action): Promise<void> {
  await send('POST', `${pathOf(job)}/${verb}`);
  sayDone(`job ${job.id} ${done}`);
  reloadAll();
}

export function JobActions({ job }: { job: Job }) {
  const [form, setForm] = useState<'edit' | 'clone' | null>(null);
  const actions = may('operator') ? ACTIONS.filter(({ fits }) => fits(job)) : [];
  const isOver = ['completed', 'dead', 'cancelled'].includes(job.state);
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
      {may('operator') && !isOver && (
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
        <Button icon="trash" kind="danger" label="Delete" onPress={() => askToDelete(job)} />
      )}
      {form && (
        <JobForm title={TITLES[form]} like={job} isEdit={form === 'edit'} onClose={() => setForm(null)} />
      )}
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
    text: (
      <p>
        {job.state === 'processing' ? 'The job is running and will be stopped. ' : ''}You can retry it later.
      </p>
    ),
    action: 'Cancel the job',
    isDangerous: true,
    run: async () => {
      await send('POST', `${pathOf(job)}/cancel`);
      sayDone(`job ${job.id} cancelled`);
      reloadAll();
    },
  });

const askToDelete = (job: Job): void =>
  confirm({
    title: `Delete ${job.id}?`,
    text: <p>Deletes the job with its history and output. This cannot be undone.</p>,
    action: 'Delete the job',
    isDangerous: true,
    run: async () => {
      await send('DELETE', pathOf(job));
      sayDone(`job ${job.id} deleted`);
      navigate('/jobs');
    },
  });
