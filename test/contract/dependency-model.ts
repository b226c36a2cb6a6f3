// Random flows against a small model of what should become of them: whatever happens to the parents, and in whatever order.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Dependency,
  DEPENDENCY_RULES,
  FAILURE_POLICIES,
  type FailurePolicy,
} from '../../src/job/flow/dependencies.ts';
import { MAX_INTERRUPTIONS_IN_ROW } from '../../src/job/lifecycle.ts';
import { newJob } from '../support/jobs.ts';
import { rescue } from '../support/workers.ts';
import { type Bench, type MakeBench, policy } from './bench.ts';

/** A job of the model. `gone`: it was deleted. */
interface Node {
  state: 'blocked' | 'pending' | 'held' | 'completed' | 'dead' | 'cancelled' | 'gone';
  readonly waitsFor: readonly Dependency[];
  readonly policy: FailurePolicy;
  /** How parents ended, by their ids. */
  readonly known: Map<string, string>;
  losses: number;
}

class Model {
  readonly nodes = new Map<string, Node>();

  add(id: string, waitsFor: readonly Dependency[], failurePolicy: FailurePolicy): void {
    const state = waitsFor.length === 0 ? 'pending' : 'blocked';
    this.nodes.set(id, { state, waitsFor, policy: failurePolicy, known: new Map(), losses: 0 });
  }

  end(id: string, state: Node['state']): void {
    const node = this.nodes.get(id);
    if (!node) return;
    const wasFinal = ['completed', 'dead', 'cancelled'].includes(node.state);
    node.state = state;
    if (wasFinal) return; // only its record went away: how it ended is known already
    for (const [child, { waitsFor, known, state: waiting }] of this.nodes) {
      if (!waitsFor.some(({ on }) => on === id)) continue;
      known.set(id, state);
      if (waiting === 'blocked') this.decide(child);
    }
  }

  /** A job that lost too many workers in a row is taken to be what kills them. */
  lose(id: string): void {
    const node = this.nodes.get(id);
    if (node && ++node.losses === MAX_INTERRUPTIONS_IN_ROW) this.end(id, 'dead');
  }

  private decide(id: string): void {
    const node = this.nodes.get(id);
    if (!node) return;
    const of = (rule: string): (string | undefined)[] =>
      node.waitsFor.filter((one) => one.rule === rule).map(({ on }) => node.known.get(on));
    const isFailure = (outcome: string | undefined): boolean => outcome !== undefined && outcome !== 'completed';
    const [success, end, failure] = [of('success'), of('end'), of('failure')];
    const isMissed = failure.length > 0 && failure.every((outcome) => outcome === 'completed');
    const isBroken = success.some(isFailure) || isMissed;
    if (isBroken && node.policy === 'cancel') {
      this.end(id, 'cancelled');
      return;
    }
    const isOver = [...success, ...end].every((outcome) => outcome !== undefined);
    const isFailureSeen = failure.length === 0 || failure.some(isFailure) || failure.every((one) => one !== undefined);
    if (isOver && isFailureSeen) node.state = isBroken && node.policy === 'hold' ? 'held' : 'pending';
  }

  in(...states: Node['state'][]): string[] {
    return [...this.nodes].filter(([, { state }]) => states.includes(state)).map(([id]) => id);
  }
}

const KINDS = ['complete', 'die', 'lose', 'cancel', 'delete'] as const;
const aStep = fc.record({
  kind: fc.constantFrom('complete', 'complete', 'die', 'lose', 'cancel', 'delete'),
  pick: fc.nat(50),
});
type Step = { readonly kind: (typeof KINDS)[number]; readonly pick: number };

/** Each job waits for some of those before it. */
const aFlow = fc.array(
  fc.record({
    parents: fc.array(
      fc.record({ before: fc.integer({ min: 1, max: 4 }), rule: fc.constantFrom(...DEPENDENCY_RULES) }),
      {
        maxLength: 3,
      },
    ),
    policy: fc.constantFrom(...FAILURE_POLICIES),
  }),
  { minLength: 2, maxLength: 8 },
);

async function take(b: Bench, model: Model, step: Step): Promise<void> {
  const runnable = model.in('pending');
  const targets: Record<Step['kind'], string[]> = {
    complete: runnable,
    die: runnable,
    lose: runnable,
    cancel: model.in('blocked', 'pending', 'held'),
    delete: model.in('blocked', 'pending', 'held', 'completed', 'dead', 'cancelled'),
  };
  const ids = targets[step.kind];
  const id = ids[step.pick % ids.length];
  if (id === undefined) return;
  if (step.kind === 'complete') await b.run(id, 'completed').then(() => model.end(id, 'completed'));
  if (step.kind === 'die') await b.run(id, 'failed').then(() => model.end(id, 'dead'));
  if (step.kind === 'cancel') await b.store.cancel([id]).then(() => model.end(id, 'cancelled'));
  if (step.kind === 'delete') await b.store.remove([id]).then(() => model.end(id, 'gone'));
  if (step.kind === 'lose') {
    await b.worker('w2');
    await b.take(id, 'w2');
    await rescue(b.store, 'w2', policy);
    model.lose(id);
  }
}

async function statesOf(b: Bench, model: Model): Promise<Record<string, string>> {
  const jobs = new Map((await b.all()).map((job) => [job.id, job]));
  return Object.fromEntries(
    [...model.nodes.keys()].map((id) => {
      const job = jobs.get(id);
      if (!job) return [id, 'gone'];
      return [id, job.held !== null && job.state === 'pending' ? 'held' : job.state];
    }),
  );
}

export function dependingAsModelled(bench: MakeBench): void {
  test('random workflows end as the model predicts, through failures, cancels, deletions and lost workers', async (t) => {
    const b = await bench(t);
    await fc.assert(
      fc.asyncProperty(aFlow, fc.array(aStep, { minLength: 4, maxLength: 14 }), async (flow, steps) => {
        const model = new Model();
        for (const [i, { parents, policy: failurePolicy }] of flow.entries()) {
          const rules = new Map(parents.map(({ before, rule }) => [i - before, rule]));
          const dependsOn = [...rules]
            .filter(([parent]) => parent >= 0)
            .map(([parent, rule]): Dependency => ({ kind: 'job', on: `j${parent}`, rule }));
          const id = `j${i}`;
          model.add(id, dependsOn, failurePolicy);
          await b.enqueue(newJob(id, { dependsOn, onDependencyFailure: failurePolicy, maxRetries: 0 }));
        }
        for (const step of steps) {
          await take(b, model, step);
          while ((await b.store.dependencies.advance(3)).more);
          const expected = Object.fromEntries([...model.nodes].map(([id, { state }]) => [id, state]));
          assert.deepEqual(await statesOf(b, model), expected, `after ${step.kind}`);
        }
        assert.deepEqual(await b.store.check(), []);
        await b.store.reset();
        await b.worker('w1');
      }),
      { numRuns: 25 },
    );
  });
}
