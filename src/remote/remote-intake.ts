// New jobs on their way to a server. They are checked here, so that a mistake is told with its line before anything is sent,
// and there, where what was not said is filled in. They run with the environment of their worker, in the folder of the
// server unless they name one, or it is on this machine.

import { QueueError } from '../errors/errors.ts';
import type { Intake, JobInput } from '../intake/intake.ts';
import { newJobId } from '../job/id.ts';
import { fieldsSaid, type InputContext, parseJob } from '../job/input/input.ts';
import type { Job, NewJob } from '../job/job.ts';
import type { PolicyRefusal } from '../job/isolation/policy.ts';
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
    defaults: { maxRetries: 0, timeoutSeconds: null }, // not sent: the server has its own
    now: Date.now(),
  });
  const wireOf = (job: NewJob): Json => said.get(job) ?? newJobToWire(job, Object.keys(job));
  const enqueue = (jobs: readonly NewJob[]): Promise<Job[]> => send(caller, jobs.map(wireOf));
  return {
    environment: null,
    isHeldToPolicy: false, // the server asks its policy
    refusalOf: (job) => verdictOn(caller, wireOf(job)),
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

/** In one request, so that all of them go in or none. */
async function send(caller: RemoteCaller, wire: readonly Json[]): Promise<Job[]> {
  if (wire.length === 0) return [];
  const text = JSON.stringify(wire);
  expectToFit(
    Buffer.byteLength(text),
    `the request for these ${wire.length} jobs, which go in all or none,`,
    TOGETHER,
  );
  const { jobs } = await caller.call('createJobs', {}, undefined, { text });
  return jobs.map(jobFrom);
}

async function verdictOn(caller: RemoteCaller, job: Json): Promise<PolicyRefusal | null> {
  const { reason, hint } = await caller.call('checkPolicy', {}, job);
  return reason === null ? null : { reason, hint: hint ?? '' };
}

const TOGETHER =
  'jobs that do not wait for each other go in by several requests: queuectl enqueue --file FILE; a flow goes in where the queue is';

const noEnvironment = (): QueueError =>
  new QueueError('usage', {
    problem: 'jobs that go to a server cannot inherit the environment of this shell',
    hint: 'name what they need: -e NAME copies a variable, -e NAME=VALUE sets one',
  });
