// Progress, result and exit code rules of a job as text.

import type { Job } from '../../job/job.ts';
import { USUAL_RULES } from '../../job/outcome-rules.ts';
import { count, duration, many } from './kit/human.ts';
import { oneLine } from './kit/text.ts';

/** Longer results are cut; `queuectl result get` prints all of them. */
const RESULT_CHARACTERS = 200;

/** Returns '40 % resizing', or '' without progress. Completed jobs show none, because it is out of date. */
export const progressOf = ({
  state,
  progress,
  progressNote,
}: Pick<Job, 'state' | 'progress' | 'progressNote'>): string =>
  progress === null || state === 'completed' ? '' : [`${progress} %`, oneLine(progressNote ?? '')].join(' ').trimEnd();

export function outcomeProperties({ outcomeRules, stdinBytes }: Job): string[] {
  const { successCodes, noRetryCodes, snoozeCode, warning } = outcomeRules ?? USUAL_RULES;
  const isUsual = String(successCodes) === String(USUAL_RULES.successCodes);
  return [
    ...(stdinBytes === null ? [] : [`stdin ${count(stdinBytes)} bytes`]),
    ...(isUsual ? [] : [`success codes ${successCodes.join(', ')}`]),
    ...(noRetryCodes.length === 0 ? [] : [`no retry for exit codes ${noRetryCodes.join(', ')}`]),
    ...(snoozeCode === null ? [] : [`snooze code ${snoozeCode}`]),
    ...(warning === null
      ? []
      : [`warn signal ${warning.signal} ${duration(warning.seconds * 1000)} before the timeout`]),
  ];
}

export function insideLines(job: Job): string[] {
  const progress = progressOf(job);
  return [
    ...(job.snoozes === 0 ? [] : [`snoozed ${job.snoozes === 1 ? 'once' : many(job.snoozes, 'time')}`]),
    ...(progress === '' ? [] : [`progress ${progress}`]),
    ...(job.result === null ? [] : [`result ${shortened(oneLine(job.result))}`]),
  ];
}

const shortened = (text: string): string =>
  text.length <= RESULT_CHARACTERS ? text : `${text.slice(0, RESULT_CHARACTERS - 3)}...`;
