// All tools in the order they are offered: read, enqueue, change.

import { inputNames } from '../job/fields/fields.ts';
import { jobSchema } from '../server/schema/job.ts';
import { changeJobs, pruneJobs, waitForJobs } from './own-routes.ts';
import { readLogs } from './read-logs.ts';
import { routeNamed, type Tool } from './tool.ts';

type More = Omit<Tool, 'name' | 'description' | 'route'>;

const tool = (name: string, route: string | Tool['route'], description: string, more: More = {}): Tool => ({
  name,
  description,
  route: typeof route === 'string' ? routeNamed(route) : route,
  ...more,
});

const FILTER =
  'A filter is words that must all hold: state:dead (or pending, processing, completed, failed, blocked, cancelled), queue:mail, ' +
  'group:g, tag:x, name:n, error:"no such file" or error:err-1a2b3c4d (a kind of error), older:1d, newer:2h; other words are ' +
  'searched for in ids, commands and errors.';

/** Fields by their names in responses, plus some that are only accepted as input. */
const ONLY_SAID = ['delay', 'stdin', 'group_concurrency', 'group_hooks', 'unique_for', 'if_exists'];
const NOT_SAID = ['state', 'attempts', 'next_run_at'];
const FIELDS = inputNames()
  .filter((name) => (name in jobSchema.shape || ONLY_SAID.includes(name)) && !NOT_SAID.includes(name))
  .join(', ');

const JOB =
  'A job is an object with `command` (a string runs in the shell, a list of strings runs as it is) and, if wanted: queue, priority ' +
  '(higher first), max_retries, timeout_seconds, delay ("90s") or run_at (ISO 8601), cwd, env (an object), name, group, depends_on ' +
  '(ids, names or "group:NAME"), tags, key (jobs of a key run one at a time), unique_key, stdin, id. ' +
  `All fields: ${FIELDS}.`;

const READING: readonly Tool[] = [
  tool('get_status', 'getStats', 'How many jobs are in which state, the workers, the oldest waiting job.'),
  tool(
    'get_attention',
    'getAttention',
    'What is wrong with the queue, the gravest first, and what would help.',
  ),
  tool('list_jobs', 'listJobs', `Find jobs, the newest first, a page at a time. ${FILTER}`, {
    defaults: { limit: 20 },
  }),
  tool('count_jobs', 'countJobs', `How many jobs match a filter. ${FILTER}`),
  tool('show_job', 'getJob', 'Everything about one job: its fields, what it waits for, and its attempts.'),
  tool('read_logs', readLogs, 'The last lines that a job wrote (stdout and stderr), 64 KB at the most.'),
  tool('explain_job', 'explainJob', 'Why a job is not running, or what became of it, in sentences.'),
  tool('get_job_graph', 'getJobGraph', 'All jobs that hang together with one by their dependencies.'),
  tool(
    'wait_for_jobs',
    waitForJobs,
    'Wait until jobs have completed, died or been cancelled, or the time is up (`done` says which). Jobs run only while a worker does.',
  ),
  tool('list_dead_by_error', 'listErrors', `The dead letter queue by what jobs died of. ${FILTER}`),
  tool('list_groups', 'listGroups', 'The groups of jobs, the newest first, and how far they are.'),
  tool('show_group', 'getGroup', 'How far a group is, what runs and what failed in it.'),
  tool(
    'list_queues',
    'listQueues',
    'The named queues: what is in them, their limits, whether they are paused.',
  ),
  tool('list_schedules', 'listSchedules', 'What runs again and again, and when next.'),
  tool('show_schedule', 'getSchedule', 'One schedule: its next times, and what became of its last ones.'),
  tool('list_workers', 'listWorkers', 'The workers and what they run.'),
  tool('get_metrics', 'getMetrics', 'Totals, success rate, run and waiting times, throughput.'),
  tool('list_settings', 'listSettings', 'All settings, their values and where these come from.'),
  tool('list_activity', 'listActivity', 'Who did what to the queue, the newest first.'),
  tool(
    'list_changes',
    'listBulks',
    'Changes of many jobs that were begun by change_jobs or prune_jobs here, and how far they are.',
  ),
];

const RUNS = { isDestructive: true, runsCommands: true } as const;
const TAKES = { isDestructive: true, isIdempotent: true } as const;
const SAFE = { isIdempotent: true } as const;

const ENQUEUING: readonly Tool[] = [
  tool(
    'enqueue_jobs',
    { ...routeNamed('createJobs'), isRecorded: true }, // commands of an agent are worth an audit entry
    `Enqueue one job (an object) or several (a list: all of them or none). ${JOB} They run as soon as a worker takes them, with the environment of that worker.`,
    { ...RUNS, body: 'jobs', headers: { idempotency_key: 'idempotency-key' } },
  ),
];

const CHANGING: readonly Tool[] = [
  tool('retry_job', 'retryJob', 'Run a failed, dead, cancelled or completed job again now, attempts from 0.'),
  tool('cancel_job', 'cancelJob', 'Cancel a job; one that runs is ended.', TAKES),
  tool('delete_job', 'deleteJob', 'Remove a job with its history and output, for good.', TAKES),
  tool('hold_job', 'holdJob', 'Keep a waiting job from running until it is released.', SAFE),
  tool('release_job', 'releaseJob', 'Let a held job run again.', SAFE),
  tool('run_job_now', 'runJobNow', 'Have a waiting job run now, whatever its time is.', SAFE),
  tool(
    'edit_job',
    'editJob',
    `Change fields of a waiting job; null takes a field back. The fields are those of a new job: ${FIELDS}.`,
    { ...RUNS, body: 'fields', isIdempotent: true },
  ),
  tool(
    'change_jobs',
    changeJobs,
    `Do something to all jobs that match a filter, or to those of these ids: retry, cancel, delete, hold, release, run-now, edit, move. Say dry_run first to learn how many it would be. ${FILTER}`,
    { isDestructive: true },
  ),
  tool(
    'prune_jobs',
    pruneJobs,
    'Remove finished jobs by age or number, with their output, for good. Say dry_run first to learn how many it would be.',
    TAKES,
  ),
  tool('cancel_group', 'cancelGroup', 'Cancel the jobs of a group; those that run are ended.', TAKES),
  tool('retry_group', 'retryGroup', 'Run the failed and dead jobs of a group again.'),
  tool('delete_group', 'deleteGroup', 'Remove the jobs of a group that do not run, for good.', TAKES),
  tool('pause_queue', 'pauseQueue', 'Start nothing new of a queue; what runs goes on.', SAFE),
  tool('resume_queue', 'resumeQueue', 'Start jobs of a queue again.', SAFE),
  tool(
    'limit_queue',
    'limitQueue',
    'How many jobs of a queue may run at once, and how often one may start.',
    SAFE,
  ),
  tool(
    'add_schedule',
    'addSchedule',
    `A job again and again: by cron, every or at, one of them. ${JOB}`,
    RUNS,
  ),
  tool(
    'edit_schedule',
    'editSchedule',
    `Change when a schedule runs, or its job; what is not given stays. ${JOB}`,
    {
      ...RUNS,
      isIdempotent: true,
    },
  ),
  tool('pause_schedule', 'pauseSchedule', 'Have no tick of a schedule make a job until it is resumed.', SAFE),
  tool('resume_schedule', 'resumeSchedule', 'Let a paused schedule run again.', SAFE),
  tool('run_schedule', 'runSchedule', 'A job of a schedule now, whatever its ticks do.'),
  tool('remove_schedule', 'removeSchedule', 'Remove a schedule; jobs it has made stay.', TAKES),
  tool(
    'stop_worker',
    'stopWorker',
    'Ask a worker to stop when the jobs it runs have finished, or at once.',
    TAKES,
  ),
  tool('set_setting', 'setSetting', 'Store a setting of the queue; running workers see it at once.', SAFE),
  tool('unset_setting', 'unsetSetting', 'Forget the stored value of a setting.', SAFE),
];

export const TOOLS: readonly Tool[] = [...READING, ...ENQUEUING, ...CHANGING];
