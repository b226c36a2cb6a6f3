// All tools in the order they are offered: read, enqueue, change. The summary of a tool's route begins its description.

import { inputNames } from '../job/fields/fields.ts';
import { jobSchema } from '../server/schema/job.ts';
import { changeJobs, pruneJobs, waitForJobs } from './own-routes.ts';
import { readLogs } from './read-logs.ts';
import { routeNamed, type Tool } from './tool.ts';

interface More extends Omit<Tool, 'name' | 'description' | 'route'> {
  /** Sentences after the summary. */
  readonly detail?: string;
}

function tool(name: string, route: string | Tool['route'], { detail, ...more }: More = {}): Tool {
  const offered = typeof route === 'string' ? routeNamed(route) : route;
  const description = `${offered.summary}.${detail === undefined ? '' : ` ${detail}`}`;
  return { name, description, route: offered, ...more };
}

const FILTER =
  'A filter is a list of conditions that must all match: state:dead (or pending, processing, completed, failed, blocked, cancelled), ' +
  'queue:mail, group:g, tag:x, name:n, error:"no such file" or error:err-1a2b3c4d (an error fingerprint), older:1d, newer:2h; ' +
  'other words are searched for in IDs, commands and errors.';

/** Fields by their names in responses, plus some that are only accepted as input. */
const INPUT_ONLY = ['delay', 'stdin', 'group_concurrency', 'group_hooks', 'unique_for', 'if_exists'];
const OUTPUT_ONLY = ['state', 'attempts', 'next_run_at'];
const FIELDS = inputNames()
  .filter((name) => (name in jobSchema.shape || INPUT_ONLY.includes(name)) && !OUTPUT_ONLY.includes(name))
  .join(', ');

const JOB =
  'A job is an object with `command` (a string runs in the shell, a list of strings runs without one) and optional fields: queue, ' +
  'priority (higher first), max_retries, timeout_seconds, delay ("90s") or run_at (ISO 8601), cwd, env (an object), name, group, ' +
  'depends_on (IDs, names or "group:NAME"), tags, key (jobs with the same key run one at a time), unique_key, stdin, id. ' +
  `All fields: ${FIELDS}.`;

const COUNT_FIRST = 'Use dry_run first to count the jobs.';

const READING: readonly Tool[] = [
  tool('get_status', 'getStats'),
  tool('get_attention', 'getAttention'),
  tool('list_jobs', 'listJobs', { detail: FILTER, defaults: { limit: 20 } }),
  tool('count_jobs', 'countJobs', { detail: FILTER }),
  tool('show_job', 'getJob'),
  tool('read_logs', readLogs),
  tool('explain_job', 'explainJob'),
  tool('get_job_graph', 'getJobGraph'),
  tool('wait_for_jobs', waitForJobs, {
    detail: '`done` is false if the time was up. Jobs only run while a worker is active.',
  }),
  tool('list_dead_by_error', 'listErrors', { detail: FILTER }),
  tool('list_groups', 'listGroups'),
  tool('show_group', 'getGroup'),
  tool('list_queues', 'listQueues'),
  tool('list_schedules', 'listSchedules'),
  tool('show_schedule', 'getSchedule'),
  tool('list_workers', 'listWorkers'),
  tool('get_metrics', 'getMetrics'),
  tool('list_settings', 'listSettings'),
  tool('list_activity', 'listActivity'),
  tool('list_changes', 'listBulks', { detail: 'Only covers operations of change_jobs and prune_jobs.' }),
];

const RUNS = { isDestructive: true, runsCommands: true } as const;
const TAKES = { isDestructive: true, isIdempotent: true } as const;
const SAFE = { isIdempotent: true } as const;

const ENQUEUING: readonly Tool[] = [
  tool(
    'enqueue_jobs',
    { ...routeNamed('createJobs'), isRecorded: true }, // commands of an agent are worth an audit entry
    {
      ...RUNS,
      detail: `${JOB} Jobs run as soon as a worker is free, with the environment of that worker.`,
      body: 'jobs',
      headers: { idempotency_key: 'idempotency-key' },
    },
  ),
];

const CHANGING: readonly Tool[] = [
  tool('retry_job', 'retryJob'),
  tool('cancel_job', 'cancelJob', TAKES),
  tool('delete_job', 'deleteJob', TAKES),
  tool('hold_job', 'holdJob', SAFE),
  tool('release_job', 'releaseJob', SAFE),
  tool('run_job_now', 'runJobNow', SAFE),
  tool('edit_job', 'editJob', {
    ...RUNS,
    detail: `The fields are those of a new job: ${FIELDS}.`,
    body: 'fields',
    isIdempotent: true,
  }),
  tool('change_jobs', changeJobs, { detail: `${COUNT_FIRST} ${FILTER}`, isDestructive: true }),
  tool('prune_jobs', pruneJobs, { ...TAKES, detail: COUNT_FIRST }),
  tool('cancel_group', 'cancelGroup', TAKES),
  tool('retry_group', 'retryGroup'),
  tool('delete_group', 'deleteGroup', TAKES),
  tool('pause_queue', 'pauseQueue', SAFE),
  tool('resume_queue', 'resumeQueue', SAFE),
  tool('limit_queue', 'limitQueue', SAFE),
  tool('add_schedule', 'addSchedule', { ...RUNS, detail: JOB }),
  tool('edit_schedule', 'editSchedule', { ...RUNS, detail: JOB, isIdempotent: true }),
  tool('pause_schedule', 'pauseSchedule', SAFE),
  tool('resume_schedule', 'resumeSchedule', SAFE),
  tool('run_schedule', 'runSchedule'),
  tool('remove_schedule', 'removeSchedule', TAKES),
  tool('stop_worker', 'stopWorker', TAKES),
  tool('set_setting', 'setSetting', SAFE),
  tool('unset_setting', 'unsetSetting', SAFE),
];

export const TOOLS: readonly Tool[] = [...READING, ...ENQUEUING, ...CHANGING];
