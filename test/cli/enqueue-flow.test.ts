// queuectl enqueue with jobs that refer to each other by name: a flow in YAML or JSON, or a list of jobs.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type Document, newQueue, type TestQueue } from './support.ts';

const FLOW = `
group: nightly
defaults: {max_retries: 0}
jobs:
  - name: extract
    command: echo extract >> order

  - name: load
    command: echo load >> order
    after: [extract]
  - {name: alarm, command: echo alarm >> order, after_failure: load}
  - {name: report, command: echo report >> order, after_any_end: [load]}
`;

async function byName(queue: TestQueue): Promise<Record<string, Document>> {
  const jobs = await queue.jobs();
  return Object.fromEntries(jobs.map((job) => [String(job.name), job]));
}

const idOf = async (queue: TestQueue, name: string): Promise<unknown> => (await byName(queue))[name]?.id;

test('a workflow in YAML runs in dependency order', async (t) => {
  const queue = newQueue(t);
  queue.write('flow.yaml', FLOW);
  const said = await queue.text('enqueue', '--file', 'flow.yaml');
  const jobs = await byName(queue);
  const ids = Object.fromEntries(Object.entries(jobs).map(([name, { id }]) => [name, id]));
  assert.deepEqual(said.trim().split('\n'), [
    `${ids.extract}  extract  enqueued`,
    `${ids.load}  load  enqueued`,
    `${ids.alarm}  alarm  enqueued`,
    `${ids.report}  report  enqueued`,
  ]);
  assert.deepEqual(jobs.load?.depends_on, [ids.extract]);
  assert.equal(jobs.load?.group, 'nightly');
  await queue.run(['worker', 'run', '--drain']);
  assert.equal(fs.readFileSync(path.join(queue.folder, 'order'), 'utf8'), 'extract\nload\nreport\n');
  assert.equal((await byName(queue)).alarm?.state, 'cancelled');
});

test('a workflow can be JSON from a file, stdin or an argument, with its jobs as an object', async (t) => {
  const flow = { jobs: { a: 'true', b: { command: 'true', after: 'a' } } };
  for (const text of [JSON.stringify(flow, null, '\t'), `\n${JSON.stringify(flow)}\n`])
    for (const args of [['@flow.json'], ['-'], [text]] as const) {
      const queue = newQueue(t);
      queue.write('flow.json', text);
      const { code, stderr } = await queue.run(['enqueue', ...args], { input: text });
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, String(args[0]));
      const { a, b } = await byName(queue);
      assert.deepEqual(b?.depends_on, [a?.id]);
    }
});

test('a workflow in YAML can come from stdin or from a file with any name', async (t) => {
  for (const args of [['-'], ['--file', '-'], ['--file', 'flow.txt']]) {
    const queue = newQueue(t);
    queue.write('flow.txt', FLOW);
    const { code, stderr } = await queue.run(['enqueue', ...args], { input: FLOW });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, args.join(' '));
    assert.equal((await byName(queue)).load?.state, 'blocked');
  }
});

test('--work and --wait wait for a workflow and print the result of each job', async (t) => {
  const queue = newQueue(t);
  queue.write('flow.yaml', FLOW.replace('echo load >> order', 'exit 7'));
  const worked = await queue.run(['enqueue', '--file', 'flow.yaml', '--work', '2']);
  assert.equal(worked.code, 7);
  assert.equal(worked.stderr, '');
  assert.deepEqual(
    worked.stdout
      .trim()
      .split('\n')
      .map((line) => line.replace(/^\w+ {2}/, '')),
    ['extract  completed', 'load  dead: exit code 7', 'alarm  completed', 'report  completed'],
  );
  assert.deepEqual(await queue.json('worker', 'list'), [], 'its worker has left');
  const worker = await queue.worker();
  const jobs = [
    { name: 'b', command: 'true', after: 'a' },
    { name: 'a', command: 'true' },
  ];
  const waited = await queue.json<Document[]>('enqueue', '--wait', ...jobs.map((job) => JSON.stringify(job)));
  assert.deepEqual(
    waited.map(({ state }) => state),
    ['completed', 'completed'],
  );
  queue.write('flow.json', JSON.stringify({ jobs: { c: 'true' } }));
  assert.equal(await queue.text('enqueue', '@flow.json', '--wait', '--print-id'), `${await idOf(queue, 'c')}\n`);
  await worker.leave();
});

test('without workers, enqueueing a workflow prints the next step', async (t) => {
  const queue = newQueue(t);
  queue.write('flow.yaml', FLOW);
  const { stdout } = await queue.onTerminal(80, 'queuectl enqueue --file flow.yaml');
  assert.match(stdout, /no worker is running; start one: queuectl worker start/);
});

test('jobs in a list can refer to each other, in one argument or in several', async (t) => {
  const jobs = [
    { name: 'b', command: 'true', depends_on: ['a'] },
    { name: 'a', command: 'true' },
  ];
  for (const args of [[JSON.stringify(jobs)], jobs.map((job) => JSON.stringify(job))]) {
    const queue = newQueue(t);
    const stored = await queue.json<Document[]>('enqueue', ...args);
    assert.deepEqual(stored[0]?.depends_on, [stored[1]?.id]);
    assert.deepEqual(
      stored.map(({ state }) => state),
      ['blocked', 'pending'],
    );
  }
});

test('a job can depend on several jobs, separately or together', async (t) => {
  const queue = newQueue(t);
  for (const id of ['a', 'b', 'c']) await queue.enqueue('--id', id, 'true');
  const id = await queue.enqueue('--after', 'a,b', '--after', 'c', 'true');
  assert.deepEqual((await queue.show(id)).depends_on, ['a', 'b', 'c']);
  assert.match(await queue.rejected(2, ['enqueue', '--after', 'a,', 'true']), /'after' is empty/);
  assert.match(
    await queue.rejected(2, ['enqueue', '--after', 'a b', 'true']),
    /'a b' has characters that an id or a name cannot have/,
  );
});

test('a workflow can depend on a queued job by name or ID', async (t) => {
  const queue = newQueue(t);
  await queue.text('enqueue', '--id', 'first', '--name', 'setup', 'true');
  queue.write('flow.yml', 'jobs:\n  a: {command: "true", after: [setup]}\n  b: {command: "true", after: first}\n');
  await queue.text('enqueue', '@flow.yml');
  const { a, b } = await byName(queue);
  assert.deepEqual([a?.depends_on, b?.depends_on], [['first'], ['first']]);
});

test('--print-id prints the IDs in the order of the workflow', async (t) => {
  const queue = newQueue(t);
  queue.write('flow.yaml', FLOW);
  const ids = (await queue.text('enqueue', '@flow.yaml', '--print-id')).trim().split('\n');
  const { extract, report } = await byName(queue);
  assert.deepEqual([ids.length, ids[0], ids[3]], [4, extract?.id, report?.id]);
});

const wrong: Readonly<Record<string, readonly [string, string, RegExp]>> = {
  'two jobs of one name': [
    'f.yaml',
    'jobs:\n - {name: a, command: x}\n\n - {name: a, command: y}\n',
    /line 4: duplicate job name 'a': see line 2; nothing/,
  ],
  'two jobs of one name in a map': ['f.json', '{"jobs":{\n"a":"x",\n"a":"y"}}', /line 3: duplicate key 'a'/],
  'a parent that nobody is': [
    'f.yaml',
    'jobs:\n - {name: extract, command: x}\n - {name: load, command: y, after: extrat}\n',
    /line 3: dependency not found: job 'extrat'; nothing was enqueued\n hint: did you mean 'extract'\?/,
  ],
  'jobs that wait for each other': [
    'f.yaml',
    'jobs:\n  a: {command: x, after: b}\n  b: {command: x, after: a}\n',
    /line 2: dependency cycle: a -> b -> a/,
  ],
  'a field that no job has': ['f.yaml', 'jobs:\n  a:\n    command: x\n    prio: 1\n', /line 3: unknown field 'prio'/],
  'a command that YAML takes for a truth': [
    'f.yaml',
    'jobs:\n  a: {command: true}\n',
    /line 2: 'command' must be.*\n hint: quote /,
  ],
  'a flow without jobs': ['f.yaml', 'jobs: []\n', /no jobs in the workflow/],
  'an empty file': ['f.yaml', '# nothing\n', /no jobs in 'f.yaml'/],
  'a name for the jobs that is not known': [
    'f.yaml',
    'group: g\njobss:\n  a: x\n',
    /line 3: unknown workflow field 'jobss'; nothing was enqueued\n hint: did you mean 'jobs'\?/,
  ],
  'a command alone that YAML takes for a truth': [
    'f.yaml',
    'jobs:\n  a: true\n',
    /line 2: a job must be .*\n hint: .*quote .*"true"/,
  ],
  'something behind a flow': [
    'f.json',
    '{"jobs":{"a":"true"}}\n\n{"command":"true"}\n',
    /line 3: unexpected data after the workflow/,
  ],
  'commands without --lines': ['f.txt', 'make a\nmake b\n', /neither JSON nor a YAML workflow\n hint: use --lines/],
  'YAML that is none': ['f.yaml', 'jobs: [\n', /line \d: invalid YAML/],
  'a file that is not there': ['other', '', /cannot read 'f.yaml'/],
};

for (const [what, [file, text, says]] of Object.entries(wrong)) {
  test(`${what} is rejected with its position, and nothing is enqueued`, async (t) => {
    const queue = newQueue(t);
    queue.write(file, text);
    const given = file === 'other' ? 'f.yaml' : file;
    assert.match(await queue.rejected(2, ['enqueue', '--file', given]), says);
    assert.deepEqual(await queue.jobs(), []);
  });
}

test('a job that depends on both success and failure of another job is rejected', async (t) => {
  const queue = newQueue(t);
  await queue.prepare('enqueue', '--id', 'parent', '--name', 'build', '--group', 'g', 'true');
  for (const [success, failure] of [
    ['parent', 'parent'],
    ['build', 'parent'],
    ['group:g', 'group:g'],
  ] as const) {
    const args = ['enqueue', '--after', success, '--after-failure', failure, 'true'];
    const rejection = await queue.rejected(2, args);
    assert.match(rejection, /both the success and the failure of .* and could never run\n hint: .*--after-any-end/);
  }
  assert.equal(await queue.count(), 1);
  for (const failures of ['group:g', 'parent,group:g'])
    await queue.prepare('enqueue', '--after', 'parent', '--after-failure', failures, 'true');
  assert.equal(await queue.count(), 3, 'one failure is enough');
});
