// Sends new jobs to a server. They are checked here first, so that errors name the line before anything is sent. The
// server checks them again and fills in defaults. Jobs run with the environment of their worker. If the server is on
// another machine, the default working directory is the server's.

import { QueueError } from '../errors/errors.ts';
import type { Intake, JobInput } from '../intake/intake.ts';
import { newJobId } from '../job/id.ts';
import { fieldsSaid, type InputContext, parseJob } from '../job/input/input.ts';
import type { Job, NewJob } from '../job/job.ts';
import type { PolicyRejection } from '../job/isolation/policy.ts';
import type { Json } from '../job/wire.ts';
import { randomBytes } from '../system/random.ts';
import { templateFrom } from '../schedule/job-template.ts';
import { jobFrom } from './from-wire.ts';
import type { RemoteCaller } from './remote-caller.ts';
import { RemoteStaging } from './remote-staging.ts';
import { expectToFit } from './request-size.ts';
import { newJobToWire } from './to-wire.ts';

export function remoteIntake(
  caller: RemoteCaller,
  overrides: JobInput,
  inherit: boolean | undefined,
  cwd: string | null = null,
): Intake {
  if (inherit) throw noEnvironment();
  const said = new WeakMap<NewJob, Json>();
  const context = (): InputContext => ({
    zone: 'local',
    newId: () => newJobId(randomBytes),
    cwd,
    defaults: { maxRetries: 0, timeoutSeconds: null }, // not sent, because the server applies its own
    now: Date.now(),
  });
  const wireOf = (job: NewJob): Json => said.get(job) ?? newJobToWire(job, Object.keys(job));
  const enqueue = (jobs: readonly NewJob[]): Promise<Job[]> => send(caller, jobs.map(wireOf));
  return {
    environment: null,
    isHeldToPolicy: false, // the server checks its policy
    rejectionOf: (job) => verdictOn(caller, wireOf(job)),
    read: (raw) => {
      const job = parseJob(raw, overrides, context());
      const fields = fieldsSaid(raw as JobInput, overrides, context());
      said.set(job, newJobToWire(job, cwd === null ? fields : [...new Set([...fields, 'cwd'])]));
      return job;
    },
    template: (raw) =>
      templateFrom(parseJob(raw, overrides, context()), fieldsSaid(raw as JobInput, overrides, context())),
    enqueue,
    stage: async (onSent = () => {}) => new RemoteStaging(caller, wireOf, onSent),
  };
}

/** Uses one request, so that all jobs are enqueued or none. */
async function send(caller: RemoteCaller, wire: readonly Json[]): Promise<Job[]> {
  if (wire.length === 0) return [];
  const text = JSON.stringify(wire);
  expectToFit(
    Buffer.byteLength(text),
    `the request for these ${wire.length} jobs, which must be enqueued together,`,
    TOGETHER,
  );
  const { jobs } = await caller.call('createJobs', {}, undefined, { text });
  return jobs.map(jobFrom);
}

async function verdictOn(caller: RemoteCaller, job: Json): Promise<PolicyRejection | null> {
  const { reason, hint } = await caller.call('checkPolicy', {}, job);
  return reason === null ? null : { reason, hint: hint ?? '' };
}

const TOGETHER =
  'enqueue independent jobs in several requests: queuectl enqueue --file FILE; enqueue a workflow on the server itself';

const noEnvironment = (): QueueError =>
  new QueueError('usage', {
    problem: 'jobs sent to a server cannot inherit the environment of this shell',
    hint: 'pass the variables they need: -e NAME copies a variable, -e NAME=VALUE sets one',
  });
