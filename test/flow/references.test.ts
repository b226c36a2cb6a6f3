import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { QueueError } from '../../src/errors/errors.ts';
import { jobsOf } from '../../src/flow/document.ts';
import { inWordsOfFlow, resolveNames } from '../../src/flow/references.ts';
import { rejected } from '../support/rejection.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Made-up ids are 1, 2, 3. */
function resolve(jobs: readonly Fields[]) {
  let made = 0;
  return resolveNames(jobsOf({ value: jobs, locate: () => null }), () => String(++made));
}

const resolved = (jobs: readonly Fields[]): Fields[] => resolve(jobs).map(({ fields }) => fields);
const rejectedFor = (...jobs: Fields[]) => rejected('invalid_input', () => resolve(jobs));

describe('jobs that refer to each other by name', () => {
  it('wait for the IDs of those names in any order', () =>
    assert.deepEqual(
      resolved([
        { name: 'b', command: 'x', after: ['a'], after_failure: 'c' },
        { name: 'a', command: 'x' },
        { name: 'd', id: 'mine', command: 'x', depends_on: [{ on: 'a', rule: 'end' }] },
      ]),
      [
        { id: '1', name: 'b', command: 'x', after: ['2'], after_failure: 'c' },
        { id: '2', name: 'a', command: 'x' },
        { id: 'mine', name: 'd', command: 'x', depends_on: [{ on: '2', rule: 'end' }] },
      ],
    ));

  it('leave other names to the queue', () =>
    assert.deepEqual(resolved([{ command: 'x', after: ['k3f9', 'group:g'] }]), [
      { id: '1', command: 'x', after: ['k3f9', 'group:g'] },
    ]));

  it('are rejected if two share one name', () =>
    assert.match(rejectedFor({ name: 'a' }, { name: 'a' }).message, /job 2: duplicate job name 'a': see job 1/));

  it('are answered with the nearest name if the queue has no such parent either', () => {
    const jobs = resolve([{ name: 'extract' }, { name: 'load', after: ['extrct'] }]);
    const unknown = new QueueError('unknown_dependency', {
      id: '2',
      noun: 'job',
      parent: 'extrct',
      hint: '',
    });
    const error = inWordsOfFlow(unknown, jobs) as QueueError;
    assert.match(error.message, /job 2: dependency not found: job 'extrct'/);
    assert.equal(error.hint, "did you mean 'extract'?");
  });

  it('are rejected if one depends on itself', () =>
    assert.match(rejectedFor({ name: 'a', after: 'a' }).message, /job 1: job depends on itself: a -> a/));

  it('are rejected if they depend on each other, and the error shows the cycle only', () => {
    const { message } = rejectedFor(
      { name: 'before' },
      { name: 'a', after: ['c', 'before'] },
      { name: 'b', afterAnyEnd: ['a'] },
      { name: 'c', depends_on: ['b'] },
      { name: 'behind', after: 'c' },
    );
    assert.match(message, /dependency cycle: a -> c -> b -> a; nothing/);
  });

  it('are rejected if they depend on each other by ID', () =>
    assert.match(rejectedFor({ id: 'x', after: 'b' }, { name: 'b', id: 'y', after: 'x' }).message, /x -> b -> x/));

  it('may be a chain of any length', () => {
    const chain = Array.from({ length: 20_000 }, (_, i) => ({
      name: `n${i}`,
      ...(i > 0 && { after: [`n${i - 1}`] }),
    }));
    assert.equal(resolved(chain.reverse()).length, 20_000);
  });

  it('may be a fan of any width', () => {
    const leaves = Array.from({ length: 20_000 }, (_, i) => ({ name: `n${i}`, after: ['root'] }));
    const jobs = [{ name: 'root' }, ...leaves, { name: 'end', after: leaves.map(({ name }) => name) }];
    assert.equal(resolved(jobs).length, 20_002);
  });
});
