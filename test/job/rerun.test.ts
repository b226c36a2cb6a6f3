import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Edge } from '../../src/job/flow/dependencies.ts';
import type { JobState } from '../../src/job/job.ts';
import { planRerun, type RerunNode } from '../../src/job/flow/rerun.ts';

interface Written {
  readonly state?: JobState;
  readonly after?: readonly string[];
  readonly group?: string;
  readonly held?: string;
}

function node(id: string, { state = 'completed', after = [], group, held }: Written = {}): RerunNode {
  const edges: Edge[] = after.map((parent) =>
    parent.startsWith('group:')
      ? { kind: 'group', on: parent.slice('group:'.length), rule: 'success', outcome: 'dead' }
      : { kind: 'job', on: parent, rule: 'success', outcome: 'dead' },
  );
  return { job: { id, state, group: group ?? null, held: held ?? null, onDependencyFailure: 'hold' }, edges };
}

const plan = (nodes: readonly RerunNode[], ...chosen: string[]) => planRerun(nodes, new Set(chosen));

describe('rerunning a part of a workflow', () => {
  it('starts jobs without dependencies in the part, and lets the others wait for them', () =>
    assert.deepEqual(plan([node('a'), node('b', { after: ['a'] }), node('c', { after: ['b'] })], 'a', 'b', 'c'), {
      retry: ['a'],
      block: ['b', 'c'],
      release: [],
    }));

  it('starts a job whose parents are not selected, however they finished', () =>
    assert.deepEqual(plan([node('a'), node('b', { after: ['a'], state: 'dead' })], 'b').retry, ['b']));

  it('lets dependents of a group with a rerun job wait again', () =>
    assert.deepEqual(plan([node('a', { group: 'g' }), node('b', { after: ['group:g'] })], 'a', 'b'), {
      retry: ['a'],
      block: ['b'],
      release: [],
    }));

  it('leaves jobs alone that have not run and depend on none of it', () =>
    assert.deepEqual(
      plan([node('a', { state: 'pending' }), node('b', { state: 'blocked' }), node('c')], 'a', 'b', 'c'),
      { retry: ['c'], block: [], release: [] },
    ));

  it('lets a ready job wait again', () =>
    assert.deepEqual(plan([node('a'), node('b', { after: ['a'], state: 'pending' })], 'a', 'b').block, ['b']));

  it('includes a running job, so that the store rejects it by name', () =>
    assert.deepEqual(plan([node('a', { state: 'processing' })], 'a').retry, ['a']));

  it("releases jobs held because of a parent's result, not those held by a user", () => {
    const reason = 'dependency failed: job a is dead';
    const nodes = [
      node('a', { state: 'dead' }),
      node('b', { after: ['a'], state: 'pending', held: reason }),
      node('c', { after: ['a'], state: 'pending', held: 'until Monday' }),
    ];
    assert.deepEqual(plan(nodes, 'a', 'b', 'c').release, ['b']);
  });
});
