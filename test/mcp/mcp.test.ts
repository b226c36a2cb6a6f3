// queuectl mcp, as an agent uses it: a real process at the other end of the protocol's own client.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newQueue } from '../cli/support.ts';
import { newAgent } from './support.ts';

test('an agent enqueues, waits, reads, asks why, repairs and reviews its actions', async (t) => {
  const queue = newQueue(t);
  await using agent = await newAgent(queue, '--role', 'admin');
  const { jobs } = await agent.call('enqueue_jobs', {
    jobs: [
      { id: 'good', command: 'echo one; echo two; pwd' },
      {
        id: 'bad',
        command: 'echo "no such file: $NAME" >&2; [ -e mended ]',
        max_retries: 0,
        env: { NAME: 'x' },
      },
      { id: 'last', command: ['true'], depends_on: ['good'] },
    ],
  });
  assert.deepEqual(
    jobs.map(({ id, state }: { id: string; state: string }) => [id, state]),
    [
      ['good', 'pending'],
      ['bad', 'pending'],
      ['last', 'blocked'],
    ],
  );
  assert.match((await agent.call('explain_job', { id: 'good' })).why, /no worker/);
  assert.equal((await agent.call('wait_for_jobs', { ids: ['good'], timeout_seconds: 0.05 })).done, false);
  const worker = await queue.worker();
  const waited = await agent.call('wait_for_jobs', { ids: ['good', 'bad', 'last'], timeout_seconds: 60 });
  assert.deepEqual(
    [waited.done, waited.jobs.map(({ state }: { state: string }) => state)],
    [true, ['completed', 'dead', 'completed']],
  );
  const logs = await agent.call('read_logs', { id: 'good', lines: 2 });
  assert.deepEqual([logs.output, logs.is_cut, logs.attempt.exit_code], [`two\n${queue.folder}\n`, true, 0]);
  assert.match((await agent.call('explain_job', { id: 'bad' })).why, /no such file: x/);
  const { errors } = await agent.call('list_dead_by_error');
  assert.deepEqual([errors.length, errors[0].count, errors[0].sample_id], [1, 1, 'bad']);
  const filter = `state:dead error:${errors[0].fingerprint}`;
  const dry = await agent.call('change_jobs', { action: 'retry', filter, dry_run: true });
  assert.deepEqual(dry, { count: 1, sample: ['bad'] });
  await queue.sh('touch mended');
  const change = await agent.call('change_jobs', { action: 'retry', filter });
  assert.deepEqual([change.state, change.changed], ['done', 1]);
  assert.equal((await agent.call('wait_for_jobs', { ids: ['bad'], timeout_seconds: 60 })).jobs[0].state, 'completed');
  assert.equal((await agent.call('get_status')).completed, 3);
  assert.deepEqual(await agent.call('delete_job', { id: 'last' }), { done: true });
  assert.equal((await agent.call('count_jobs')).count, 2);
  const { activity } = await agent.call('list_activity');
  assert.deepEqual(
    activity.map(({ action, via }: { action: string; via: string }) => [action, via]),
    [
      ['deleteJob', 'mcp'],
      ['changeJobs', 'mcp'],
      ['createJobs', 'mcp'],
    ],
  );
  assert.equal(agent.said(), '');
  await worker.leave();
});

test('tools return what the command line prints, and jobs, groups, queues, schedules and settings can be changed', async (t) => {
  const queue = newQueue(t);
  await using agent = await newAgent(queue, '--role', 'admin');
  await agent.call('enqueue_jobs', { jobs: { id: 'a', command: 'true', group: 'g' }, idempotency_key: 'k' });
  await agent.call('enqueue_jobs', { jobs: { id: 'a', command: 'true', group: 'g' }, idempotency_key: 'k' });
  await agent.call('hold_job', { id: 'a', reason: 'not yet' });
  assert.equal((await agent.call('show_job', { id: 'a' })).held_reason, 'not yet');
  await agent.call('release_job', { id: 'a' });
  await agent.call('edit_job', { id: 'a', fields: { priority: 7 } });
  await agent.call('set_setting', { key: 'max_retries', value: 9 });
  await agent.call('limit_queue', { name: 'default', concurrency: 2 });
  await agent.call('pause_queue', { name: 'default' });
  await agent.call('add_schedule', {
    name: 'nightly',
    cron: '0 3 * * *',
    tz: 'UTC',
    job: { command: 'true' },
  });
  const job = await queue.show('a');
  assert.deepEqual([job.held, job.priority], [false, 7]);
  assert.deepEqual(await agent.call('show_job', { id: 'a' }), job);
  assert.deepEqual((await agent.call('list_jobs')).jobs, await queue.jobs());
  assert.equal((await agent.call('list_groups')).groups[0].name, 'g');
  assert.equal(await queue.text('config', 'get', 'max_retries'), '9\n');
  const [named] = await queue.json<{ queue: string }[]>('queue', 'list');
  assert.deepEqual((await agent.call('list_queues')).queues, [named]);
  assert.equal((await agent.call('list_schedules')).schedules[0].name, 'nightly');
  assert.equal((await agent.call('cancel_group', { name: 'g' })).changed, 1);
  for (const [tool, args] of [
    ['resume_queue', { name: 'default' }],
    ['run_schedule', { name: 'nightly' }],
    ['remove_schedule', { name: 'nightly' }],
    ['unset_setting', { key: 'max_retries' }],
    ['get_metrics', {}],
    ['get_attention', {}],
    ['list_workers', {}],
    ['list_settings', {}],
    ['list_changes', {}],
    ['get_job_graph', { id: 'a' }],
    ['show_group', { name: 'g' }],
  ] as const)
    await agent.call(tool, args);
  assert.equal((await queue.json<unknown[]>('activity')).length, 14);
});

test('invalid arguments are rejected in one sentence with a hint, and change nothing', async (t) => {
  const queue = newQueue(t);
  await using agent = await newAgent(queue, '--role', 'admin');
  const cases: [string, Record<string, unknown>, string, RegExp][] = [
    ['enqueue_jobs', {}, 'invalid_arguments', /'jobs' is missing/],
    ['enqueue_jobs', { jobs: { comand: 'x' } }, 'invalid_job', /comand/],
    ['enqueue_jobs', { jobs: [{ command: 'true' }, { command: 7 }] }, 'invalid_job', /command/],
    ['enqueue_jobs', { job: {} }, 'unknown_parameter', /job/],
    ['list_jobs', { filter: 'state:what' }, 'invalid_filter', /what/],
    ['list_jobs', { limit: 'many' }, 'invalid_arguments', /limit/],
    ['list_jobs', { after: 'elsewhere' }, 'invalid_cursor', /./],
    ['read_logs', { id: 'a', lines: 100_000 }, 'invalid_arguments', /lines/],
    ['wait_for_jobs', { ids: [] }, 'invalid_arguments', /ids/],
    ['wait_for_jobs', { ids: ['none'] }, 'job_not_found', /none/],
    ['show_job', { id: '' }, 'invalid_arguments', /id/],
    ['show_job', { id: '../../etc/passwd' }, 'job_not_found', /passwd/],
    ['change_jobs', { action: 'delete', filter: ' ' }, 'invalid_request', /every job/],
    ['change_jobs', { action: 'burn', filter: 'x' }, 'invalid_arguments', /action/],
    ['set_setting', { key: 'max_retires', value: 1 }, 'unknown_setting', /max_retires/],
    ['pause_queue', { name: '*' }, 'invalid_arguments', /name/],
    ['add_schedule', { name: 'x', cron: 'never', job: { command: 'true' } }, 'invalid_schedule', /never/],
  ];
  for (const [tool, args, code, message] of cases) {
    const rejection = await agent.rejected(tool, args);
    assert.deepEqual([tool, rejection.code], [tool, code], JSON.stringify(rejection));
    assert.match(rejection.message, message);
  }
  await assert.rejects(agent.client.callTool({ name: 'lst_jobs' }), /did you mean 'list_jobs'/);
  assert.deepEqual([await queue.count(), await queue.json('activity')], [0, []]);
  assert.equal(agent.said(), '');
});

test('a viewer agent is offered only reading tools, and other tools are rejected', async (t) => {
  const queue = newQueue(t);
  await queue.enqueue('--id', 'a', '-e', 'KEY=secret', 'true');
  await using agent = await newAgent(queue, '--read-only', '--role', 'admin');
  const { tools } = await agent.client.listTools();
  assert.ok(tools.length > 15 && tools.every(({ annotations }) => annotations?.readOnlyHint === true));
  for (const [tool, args] of [
    ['delete_job', { id: 'a' }],
    ['enqueue_jobs', { jobs: { command: 'true' } }],
    ['change_jobs', { action: 'delete', filter: 'newer:1d' }],
    ['set_setting', { key: 'max_retries', value: 1 }],
  ] as const)
    assert.equal((await agent.rejected(tool, args)).code, 'serves_read_only');
  assert.equal((await agent.call('show_job', { id: 'a' })).state, 'pending');
});

test('a read-only agent sees no values of variables, whatever its role', async (t) => {
  const queue = newQueue(t);
  await queue.enqueue('--id', 'a', '-e', 'KEY=secret', 'true');
  await using agent = await newAgent(queue, '--read-only', '--role', 'admin');
  assert.deepEqual((await agent.call('show_job', { id: 'a' })).env, { KEY: '***' });
  const { tools } = await agent.client.listTools();
  for (const { name } of tools.filter((tool) => /job|change|wait|activity/.test(tool.name))) {
    const answer = await agent.client.callTool({
      name,
      arguments: name === 'wait_for_jobs' ? { ids: ['a'], timeout_seconds: 0 } : { id: 'a' },
    });
    assert.ok(!JSON.stringify(answer).includes('"secret"'), name);
  }
});

test('without --role an agent is an operator', async (t) => {
  const queue = newQueue(t);
  await queue.enqueue('--id', 'a', '-e', 'KEY=secret', 'true');
  await using agent = await newAgent(queue);
  const names = await agent.names();
  assert.deepEqual([names.includes('delete_job'), names.includes('set_setting')], [true, false]);
  assert.deepEqual((await agent.call('show_job', { id: 'a' })).env, { KEY: '***' });
});

test("each role has the permissions of the server's role", async (t) => {
  const queue = newQueue(t);
  await queue.enqueue('--id', 'a', '-e', 'KEY=secret', 'true');
  const cases = [
    { role: 'viewer', env: '***', has: ['list_jobs'], lacks: ['enqueue_jobs', 'delete_job', 'set_setting'] },
    { role: 'enqueuer', env: '***', has: ['enqueue_jobs'], lacks: ['delete_job', 'set_setting'] },
    { role: 'operator', env: '***', has: ['enqueue_jobs', 'delete_job'], lacks: ['set_setting'] },
    { role: 'admin', env: 'secret', has: ['enqueue_jobs', 'delete_job', 'set_setting'], lacks: [] },
  ];
  const tries: Record<string, Record<string, unknown>> = {
    enqueue_jobs: { jobs: { command: 'true' } },
    delete_job: { id: 'a' },
    set_setting: { key: 'max_retries', value: 1 },
  };
  for (const { role, env, has, lacks } of cases) {
    await using agent = await newAgent(queue, '--role', role);
    const names = await agent.names();
    for (const name of has) assert.ok(names.includes(name), `${role}: ${name}`);
    for (const name of lacks) {
      assert.ok(!names.includes(name), `${role}: ${name}`);
      assert.equal((await agent.rejected(name, tries[name])).code, 'not_allowed');
    }
    const { env: shown } = await agent.call('show_job', { id: 'a' });
    assert.deepEqual(shown, { KEY: env }, role);
  }
  for (const flags of [[], ['--read-only']]) {
    await using agent = await newAgent(queue, ...flags);
    const names = await agent.names();
    assert.deepEqual([names.includes('set_setting'), names.includes('enqueue_jobs')], [false, flags.length === 0]);
    assert.deepEqual((await agent.call('show_job', { id: 'a' })).env, { KEY: '***' });
  }
  assert.match(await queue.rejected(2, ['mcp', '--role', 'admn']), /unknown role 'admn'\n hint: did you mean 'admin'/);
});

test('tools that run commands or delete are marked, and every schema is an object schema', async (t) => {
  await using agent = await newAgent(newQueue(t), '--role', 'admin');
  const { tools } = await agent.client.listTools();
  const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name);
  assert.deepEqual(destructive.sort(), [
    'add_schedule', 'cancel_group', 'cancel_job', 'change_jobs', 'delete_group', 'delete_job', 'edit_job', 'edit_schedule',
    'enqueue_jobs', 'prune_jobs', 'remove_schedule', 'stop_worker',
  ]); // biome-ignore format: a list of words
  for (const { name, description, inputSchema, annotations } of tools) {
    assert.ok((description ?? '').length > 20, name);
    assert.deepEqual([inputSchema.type, inputSchema.additionalProperties], ['object', false], name);
    assert.equal(new Set(inputSchema.required).size, inputSchema.required?.length, name);
    assert.ok(!(annotations?.readOnlyHint && annotations.destructiveHint), name);
  }
});

test('the trace of the agent continues in the jobs that it enqueues', async (t) => {
  const queue = newQueue(t);
  await using agent = await newAgent(queue, '--role', 'admin');
  const traceparent = `00-${'3'.repeat(32)}-${'4'.repeat(16)}-01`;
  await agent.call('enqueue_jobs', { jobs: { id: 'a', command: 'true' } }, { traceparent });
  assert.deepEqual((await agent.call('show_job', { id: 'a' })).env, { TRACEPARENT: traceparent });
});
