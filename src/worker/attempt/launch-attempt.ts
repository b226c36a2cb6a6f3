// Prepares an attempt and launches its command: log, output, report files, secrets, and access to the queue.

import type { SecretSource } from '../../isolation/isolate.ts';
import { separateFiles } from '../../process/output/attempt-files.ts';
import { Capture, type Receive } from '../../process/output/capture.ts';
import { AttemptLog } from '../../process/output/log.ts';
import type { Launch, Launched } from '../../process/spawn/launch.ts';
import { leaseMark } from '../../process/tree/tree.ts';
import type { Claimed } from '../../store/store.ts';
import { type JobPass, passFor } from '../job-socket/job-passes.ts';
import type { AttemptContext } from './attempt-context.ts';
import { type EffectiveIsolation, isolationOf, launchIsolated } from './isolated.ts';
import { JobReport } from './job-report.ts';
import { inheritedBy, jobVariables, workingFolder } from './job-variables.ts';
import { Masking } from './masking.ts';
import { launchIfAllowed } from './start-check.ts';
import { launchWithInput } from './stdin.ts';
import { deliveryOf } from './webhook.ts';

export interface AttemptParts {
  readonly claimed: Claimed;
  readonly context: AttemptContext;
  readonly log: AttemptLog;
  /** Progress, result and snooze reported by the job. */
  readonly report: JobReport;
  readonly capture: Capture;
  /** Null if the job gets no secrets. */
  readonly masking: Masking | null;
  /** The job's access to the queue; null if it needs none. */
  readonly pass: JobPass | null;
  readonly isolation: EffectiveIsolation;
}

/** The pass is valid until `hasLostLease` returns true. */
export function prepareAttempt(claimed: Claimed, context: AttemptContext, hasLostLease: () => boolean): AttemptParts {
  const { job, logPath } = claimed;
  const limit = (): number => context.settings().number('log_max_bytes');
  const log = new AttemptLog({ path: logPath, limit, now: context.now, watch: context.watch });
  const isolation = isolationOf(job, context);
  const { isIsolated, isOtherUser } = isolation;
  const pass = passFor(claimed, isolation, context, hasLostLease);
  const receive: Receive = (data, stream) => {
    log.add(data, stream);
    report.add(data, stream);
  };
  const hasSecrets = job.confinement?.secrets !== undefined || pass !== null;
  const masking = hasSecrets ? new Masking(receive, pass?.secret) : null;
  const files = isIsolated ? separateFiles(logPath, isOtherUser) : logPath;
  const report = new JobReport(files, job.outcomeRules?.snoozeCode != null, isIsolated, masking);
  const capture = new Capture(context.pipes, job.splitOutput, masking?.receive ?? receive);
  return { claimed, context, log, report, capture, masking, pass, isolation };
}

export function launchAttempt(parts: AttemptParts): Launched {
  const { claimed, context, report, capture, pass } = parts;
  const { job, logPath } = claimed;
  const settings = context.settings();
  const delivery = deliveryOf(claimed, context.webhook, context.environment, settings);
  const start: Launch = {
    command: delivery?.command ?? job.command,
    shell: String(settings.value('shell')),
    isDirect: settings.value('direct_start') === 'on',
    cwd: job.cwd,
    inherited: delivery?.inherited ?? inheritedBy(claimed, context),
    own: {
      ...workingFolder(job),
      ...(delivery?.own ?? job.env),
      ...context.tracer()?.variables(claimed),
      ...jobVariables(claimed, context),
      ...report.variables,
      ...pass?.variables,
    },
    outputs: capture.outputs,
    notAfterMs: context.notAfterMs(),
  };
  if (job.stdinBytes === null) return launchChecked(parts, start);
  return launchWithInput(start, (whole) => launchChecked(parts, whole), logPath, context.stdinOf(claimed));
}

function launchChecked(parts: AttemptParts, start: Launch): Launched {
  const { claimed, context, isolation, pass } = parts;
  const own = () => ({
    logPath: claimed.logPath,
    lease: leaseMark(context.workerId, claimed),
    vault: secretsFor(parts),
    needs: pass?.needs ?? [],
  });
  const go = (): Launched => launchIsolated(isolation, start, own, context);
  const rejection = context.startCheck(claimed);
  return rejection === null ? go() : launchIfAllowed(rejection, go);
}

const secretsFor = ({ claimed, context, isolation, report, masking }: AttemptParts): SecretSource => ({
  valueOf: context.vault.valueOf,
  folder: isolation.isIsolated ? report.folder : context.vault.folderOf(claimed),
  hide: (values) => masking?.learn(values),
});
