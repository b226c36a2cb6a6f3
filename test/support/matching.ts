// Whether a job meets a filter, said once more without SQL: what the stores are compared with.

import type { Job } from '../../src/job/job.ts';
import type { JobFilter, OneOf } from '../../src/store/port/list.ts';

export function matches(job: Job, filter: JobFilter): boolean {
  const { states, queue, group, tag, name, held, id, fingerprint, error, search, before, since, and = [] } = filter;
  const age = job.finishedAt ?? job.createdAt;
  return (
    (states?.includes(job.state) ?? true) &&
    isOneOf(queue, (value) => job.queue === value) &&
    isOneOf(group, (value) => job.group === value) &&
    isOneOf(tag, (value) => job.tags.includes(value)) &&
    isOneOf(name, (value) => job.name === value) &&
    (held === undefined || (job.held !== null) === held) &&
    isOneOf(id, (value) => job.id.startsWith(value)) &&
    isOneOf(fingerprint, (value) => job.fingerprint === value) &&
    isOneOf(error, (value) => contains(job.lastError ?? '', value)) &&
    isOneOf(search, (value) => textsOf(job).some((text) => contains(text, value))) &&
    (before === undefined || age < before) &&
    (since === undefined || age >= since) &&
    and.every((one) => matches(job, one))
  );
}

const isOneOf = (values: OneOf | undefined, test: (value: string) => boolean): boolean =>
  values === undefined || [values].flat().some(test);

const contains = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

const textsOf = (job: Job): string[] => [
  job.id,
  typeof job.command === 'string' ? job.command : job.command.join(' '),
  job.lastError ?? '',
];
