// What a job may enqueue through its worker's socket: no more than it could do itself.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { childOf, type Creator } from '../../src/job/flow/child-job.ts';
import type { NewJob } from '../../src/job/job.ts';
import { isTokenFor, jobServerIn, jobToken, withoutJobServer } from '../../src/job/isolation/job-token.ts';
import { newJob } from '../support/jobs.ts';
import { rejected } from '../support/rejection.ts';

const free: Creator = {
  ...{ id: 'a', attempt: 2, queue: 'default', group: 'g', cwd: '/srv/a', isIsolated: false },
  confinement: { secrets: [{ name: 'OWN', as: 'variable', variable: 'OWN' }] },
};
const boxed: Creator = {
  ...free,
  isIsolated: true,
  confinement: { ...free.confinement, sandbox: 'strict', user: 'nobody', limits: { memoryBytes: 100 } },
};

const standing = { priority: 3, key: 'own', keyConcurrency: 2 };
const child = (more: Partial<NewJob> = {}): NewJob => newJob('b', { cwd: null, ...more });

describe('an isolated job', () => {
  test('creates jobs with its own isolation', () => {
    const { cwd, confinement } = childOf(
      boxed,
      child({ confinement: { limits: { memoryBytes: 50, processes: 9 } } }),
      standing,
    );
    assert.equal(cwd, '/srv/a');
    assert.deepEqual(confinement, {
      sandbox: 'strict',
      user: 'nobody',
      limits: { memoryBytes: 50, processes: 9 },
    });
    const greedy = child({ confinement: { limits: { memoryBytes: 500 }, sandbox: 'strict' } });
    assert.equal(childOf(boxed, greedy, standing).confinement?.limits?.memoryBytes, 100);
  });

  test('creates jobs that start no earlier than it could', () => {
    for (const [said, kept] of [[9, 3], [3, 3], [-1, -1]] as const) // biome-ignore format: one line
      assert.equal(childOf(boxed, child({ priority: said }), standing).priority, kept);
    const same = childOf(boxed, child({ key: 'own', keyConcurrency: 1 }), standing);
    assert.deepEqual([same.key, same.keyConcurrency], ['own', 2], 'its limit holds, not that of the child');
    assert.equal(childOf(boxed, child(), standing).key, null);
    assert.equal(childOf(free, child({ priority: 9, key: 'k' }), null).priority, 9);
  });

  const TOO_MUCH: Readonly<Record<string, [Partial<NewJob>, RegExp]>> = {
    'without its sandbox': [{ confinement: { sandbox: 'none' } }, /a new job inherits the sandbox/],
    'as another user': [{ confinement: { user: 'root' } }, /a new job inherits the user/],
    'in another folder': [{ cwd: '/home/ann' }, /inherits the working directory '\/srv\/a'/],
    'in a folder in its own, which may be a link': [{ cwd: '/srv/a/link' }, /inherits the working directory/],
    'in another queue': [{ queue: 'mail' }, /its own queue 'default'/],
    'in a group of others': [{ group: 'theirs' }, /its own group or into none/],
    'with a hook, which runs as a job of its own': [{ hooks: { on_success: 'id' } }, /hooks would run outside/],
    'with a hook of its group': [{ group: 'g', groupHooks: { on_success: 'id' } }, /hooks would run outside/],
    'with a key that others wait for': [{ key: 'theirs' }, /its own concurrency key or none/],
    'in the place of another': [{ uniqueKey: 'k', ifExists: 'replace' }, /could replace another job/],
    'with a secret that it was not given': [
      { confinement: { secrets: [{ name: 'THEIRS', as: 'variable', variable: 'X' }] } },
      /has no access to the secret 'THEIRS'/,
    ],
  };
  for (const [how, [more, reason]] of Object.entries(TOO_MUCH))
    test(`cannot create a job ${how}`, () => {
      const { message } = rejected('not_for_jobs', () => childOf(boxed, child(more), standing));
      assert.match(message, /^job a, attempt 2 is not allowed to do this: /);
      assert.match(message, reason);
    });

  test('passes on the secrets that it was given', () => {
    const secrets = [{ name: 'OWN', as: 'file', variable: 'P' }] as const;
    assert.deepEqual(childOf(boxed, child({ confinement: { secrets } }), standing).confinement?.secrets, secrets);
  });
});

describe('a job without isolation', () => {
  test('enqueues with the rights of its enqueuer, except for secrets and its own token', () => {
    const mail = child({ queue: 'mail', cwd: '/', hooks: { on_success: 'id' }, env: { PATH: '/bin' } });
    assert.equal(childOf(free, mail, null), mail);
    const secrets = [{ name: 'THEIRS', as: 'variable', variable: 'X' }] as const;
    rejected('not_for_jobs', () => childOf(free, child({ confinement: { secrets } }), standing));
    rejected('not_for_jobs', () => childOf(free, child({ env: { QUEUECTL_TOKEN: 'mine' } }), standing));
  });
});

describe('the access of a job', () => {
  const token = jobToken('secret', '/srv/queue.db');
  const inJob = { QUEUECTL_SERVER: 'unix:/run/s', QUEUECTL_TOKEN: token, QUEUECTL_DB: '/srv/queue.db' };

  test('is limited to its queue', () => {
    assert.ok(isTokenFor(token, '/srv/queue.db'));
    assert.equal(jobServerIn(inJob), 'unix:/run/s');
    assert.equal(jobServerIn({ ...inJob, QUEUECTL_DB: undefined }), 'unix:/run/s');
    assert.equal(jobServerIn({ ...inJob, QUEUECTL_DB: '/other.db' }), null, 'another queue was named');
    assert.equal(jobServerIn({ ...inJob, QUEUECTL_SERVER: 'https://queue.example.com' }), null);
  });

  test('is not passed to processes outside the job', () => {
    assert.deepEqual(withoutJobServer(inJob), { QUEUECTL_DB: '/srv/queue.db' });
    const other = { QUEUECTL_SERVER: 'https://queue.example.com', QUEUECTL_TOKEN: 'x' };
    assert.equal(withoutJobServer(other), other);
  });
});
