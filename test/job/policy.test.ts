// What a policy lets in, what it rejects and how it says so; the machine is made up.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Enqueuer,
  type Moment,
  type Policy,
  type PolicySubject,
  rejectionOf,
} from '../../src/job/isolation/policy.ts';
import { policyOf } from '../../src/settings/policy.ts';
import { parseSetting, Settings } from '../../src/settings/settings.ts';
import { rejected } from '../support/rejection.ts';

const machine = {
  argv: (command: string | readonly string[]) => (typeof command === 'string' ? ['/bin/sh', '-c', command] : command),
  programPath: (name: string) => ({ convert: '/usr/bin/convert', './run': '/srv/run' })[name] ?? null,
  realFolder: (path: string | null) => (path === '/srv/link' ? '/etc' : path),
};
const ann: Enqueuer = { name: 'ann@build7', via: 'cli', role: null };
const ci: Enqueuer = { name: 'token:ci', via: 'http', role: 'enqueuer' };

const policy = (said: Record<string, string>): Policy => policyOf(new Settings(said)) as Policy;
const job = (more: Partial<PolicySubject>): PolicySubject => ({
  command: ['convert', 'a.png', 'b.jpg'],
  queue: 'img',
  cwd: '/srv/media',
  env: {},
  confinement: null,
  ...more,
});
const reason = (
  said: Record<string, string>,
  more: Partial<PolicySubject> = {},
  moment: Moment = { enqueuedBy: ann },
): string | null => rejectionOf(policy(said), job(more), machine, moment)?.reason ?? null;

test('without any of its settings there is no policy', () => {
  assert.equal(policyOf(new Settings({ max_retries: 3 })), null);
});

test('equal settings share one policy', () => {
  const settings = new Settings({ policy_shell: 'reject' });
  assert.equal(policyOf(settings), policyOf(settings));
});

describe('the shell', () => {
  const said = { policy_shell: 'reject' };
  test('an argument list is allowed, a shell command is not', () => {
    assert.equal(reason(said), null);
    assert.equal(reason(said, { command: 'convert a b' }), 'shell commands are not allowed');
  });

  test('a list that passes a script to a shell is a shell command, also through other programs', () => {
    for (const command of [
      ['sh', '-c', 'x'],
      ['/bin/bash', '-ec', 'x'],
      ['env', 'A=1', 'nice', 'dash', '-c', 'x'],
      ['busybox', 'sh', '-c', 'x'],
    ])
      assert.match(reason(said, { command }) ?? '', /shell/, command.join(' '));
    assert.equal(reason(said, { command: ['sh', 'script.sh'] }), null);
  });

  test('a hook that is a command counts, a webhook does not', () => {
    assert.equal(reason(said, { hooks: { on_dead: 'mail me' } }), 'hook on_dead: shell commands are not allowed');
    assert.equal(reason(said, { hooks: { on_dead: 'https://example.com/x' } }), null);
    const command = ['queuectl', '__webhook', 'https://example.com'];
    const programs = { policy_programs: '/usr/bin/true' };
    assert.equal(reason(programs, { command, hookOf: 'a' }, 'start'), null);
    assert.match(reason(programs, { command }, 'start') ?? '', /is not allowed/, 'a job that only looks like one');
  });
});

describe('programs', () => {
  const said = { policy_programs: '/usr/bin/convert **; rsync -a * backup:*\ntrue; /srv/*' };
  test('are compared word by word', () => {
    for (const command of [
      ['convert'],
      ['/usr/bin/convert', 'a', 'b'],
      ['rsync', '-a', 'any thing', 'backup:/x'],
      ['true'],
      ['./run'],
    ])
      assert.equal(reason(said, { command }), null, command.join(' '));
    for (const command of [
      ['rsync', '-a', 'x', 'elsewhere:'],
      ['rsync', '-a', 'x', 'y', 'backup:'],
      ['true', '-x'],
      ['/tmp/convert'],
      ['/usr/bin/true'],
      ['/srv/deep/run'],
    ])
      assert.match(reason(said, { command }) ?? '', /^program .* is not allowed/, command.join(' '));
  });

  test('a rejection names the program and its position, never an argument', () => {
    const few = { policy_programs: 'true; /usr/bin/convert' };
    assert.equal(reason(few, { command: ['curl', '-u', 'me:hunter22'] }), "program 'curl' is not allowed");
    assert.equal(
      reason({ policy_programs: 'true' }, { command: ['convert', 'hunter22'] }),
      "program 'convert' (/usr/bin/convert) is not allowed",
    );
  });

  test('a shell command is the program sh', () => {
    assert.equal(reason(said, { command: 'true' }), "program '/bin/sh' is not allowed");
    assert.equal(reason({ policy_programs: '/bin/sh -c make*' }, { command: 'make all' }), null);
  });

  test('a path with .. is rejected, wherever it leads', () => {
    const command = ['/usr/bin/../bin/convert'];
    assert.match(reason(said, { command }) ?? '', /contains \.\./);
  });

  test('only variables that an admin has named may be set', () => {
    const names = ['PATH', 'LD_PRELOAD', 'TAR_OPTIONS', 'GIT_SSH_COMMAND', 'BASH_FUNC_x%%', 'HOME', '_JAVA_OPTIONS'];
    for (const name of names) assert.equal(reason(said, { env: { [name]: 'x' } }), `variable ${name} is not allowed`);
    const some = { ...said, policy_variables: 'LANG IMG_*' };
    assert.equal(reason(some, { env: { LANG: 'C', IMG_QUALITY: '5', QUEUECTL_ARRAY_INDEX: '1' } }), null);
    assert.match(reason(some, { env: { IMG: '5' } }) ?? '', /variable IMG is not allowed/);
    assert.equal(reason({ policy_shell: 'reject' }, { command: ['x'], env: { HOME: '/' } }), null);
  });

  test('a pattern matches an option only if it begins with - itself, or after --', () => {
    const git = { policy_programs: 'git clone * *; git fetch -- *; ls -* *' };
    assert.match(reason(git, { command: ['git', 'clone', '--upload-pack=x', 'y'] }) ?? '', /these arguments/);
    assert.equal(reason(git, { command: ['git', 'clone', 'x', 'y'] }), null);
    assert.equal(reason(git, { command: ['git', 'fetch', '--', '-x'] }), null);
    assert.equal(reason(git, { command: ['ls', '-l', 'x'] }), null);
    assert.match(reason(git, { command: ['ls', '-l', '-x'] }) ?? '', /these arguments/);
  });

  test('the location of a program may stay open until the start, and no longer', () => {
    const unknown = { ...machine, programPath: () => null };
    const few = policy({ policy_programs: '/usr/bin/convert **' });
    const subject = job({ command: ['convert', 'a'] });
    assert.equal(rejectionOf(few, subject, unknown, { enqueuedBy: ann }), null);
    assert.match(rejectionOf(few, subject, unknown, 'start')?.reason ?? '', /not allowed/);
    assert.match(
      rejectionOf(few, job({ command: ['curl'] }), unknown, { enqueuedBy: ann })?.reason ?? '',
      /not allowed/,
    );
  });
});

describe('directories, queues and users', () => {
  test('a job runs in a directory or below it, however its path is written', () => {
    const said = { policy_folders: '/srv/media /srv/other' };
    assert.equal(reason(said), null);
    assert.equal(reason(said, { cwd: '/srv/media/deep/er' }), null);
    assert.equal(reason(said, { cwd: '/srv/media2' }), "jobs are not allowed to run in '/srv/media2'");
    assert.equal(
      reason({ policy_folders: '/srv' }, { cwd: '/srv/link' }, 'start'),
      "jobs are not allowed to run in '/srv/link' (/etc)",
    );
  });

  test('queues are named or matched by a pattern', () => {
    assert.equal(reason({ policy_queues: 'mail im*' }), null);
    assert.equal(reason({ policy_queues: 'mail' }), "queue 'img' accepts no jobs");
  });

  test('users are checked at enqueue, and not for a schedule or at the start', () => {
    const said = { policy_users: 'bob@* token:ci' };
    assert.equal(reason(said), 'ann@build7 is not allowed to enqueue');
    assert.equal(reason(said, {}, { enqueuedBy: ci }), null);
    assert.equal(reason(said, {}, { enqueuedBy: null }), null);
    assert.equal(reason(said, {}, 'start'), null);
  });
});

describe('recipes only', () => {
  const made = { confinement: { recipe: { name: 'resize', params: {} } } };
  test('restricts the named accounts to recipes', () => {
    const needs = 'the command must come from a recipe';
    const held = (who: string, moment: Moment) => reason({ policy_recipes_only: who }, {}, moment);
    assert.equal(held('enqueuers', { enqueuedBy: ci }), needs);
    assert.equal(held('enqueuers', { enqueuedBy: { ...ci, role: 'operator' } }), null);
    assert.equal(held('api', { enqueuedBy: { ...ci, role: 'operator' } }), needs);
    assert.equal(held('api', { enqueuedBy: ann }), null);
    assert.equal(held('everybody', { enqueuedBy: ann }), needs);
    assert.equal(held('everybody', 'start'), needs);
    assert.equal(reason({ policy_recipes_only: 'everybody' }, made, 'start'), null);
  });

  test('neither a hook nor a variable circumvents it', () => {
    const said = { policy_recipes_only: 'api' };
    const moment = { enqueuedBy: ci };
    assert.match(reason(said, { ...made, hooks: { on_success: 'rm -rf /' } }, moment) ?? '', /hook on_success/);
    assert.match(reason(said, { ...made, groupHooks: { on_dead: 'x' } }, moment) ?? '', /hook on_dead/);
    assert.match(reason(said, { ...made, env: { LD_PRELOAD: 'x' } }, moment) ?? '', /LD_PRELOAD/);
  });

  test('restricted accounts cannot choose the user of a job', () => {
    const asRoot = { confinement: { ...made.confinement, user: 'root' } };
    assert.match(reason({ policy_recipes_only: 'api' }, asRoot, { enqueuedBy: ci }) ?? '', /may not choose the user/);
    assert.equal(reason({ policy_recipes_only: 'api' }, asRoot, { enqueuedBy: ann }), null);
  });
});

test('an unreadable policy allows nothing', () => {
  assert.match(reason({ policy_programs: 'a/b' }) ?? '', /not allowed/);
  assert.match(reason({ policy_folders: 'srv' }) ?? '', /jobs are not allowed to run/);
});

test('an invalid pattern is rejected when it is set', () => {
  for (const [key, value] of [
    ['policy_programs', 'bin/x'],
    ['policy_programs', '** a'],
    ['policy_programs', 'a ** b'],
    ['policy_programs', ';'],
    ['policy_folders', 'srv'],
    ['policy_folders', '/srv/../etc'],
    ['policy_shell', 'maybe'],
    ['policy_recipes_only', 'ann'],
  ] as const)
    rejected('invalid_setting', () => parseSetting(key, value));
});
