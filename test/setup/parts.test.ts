// The parts of the program that are loaded on demand: only who needs one loads it, and only the one it was built with. The
// program stands as npm would install it, in a folder of its own for each test.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { launcher, repository, type Result, run, start, temporaryFolder } from './clone.ts';

const bundledNode = path.join(repository, 'toolchain', 'node_modules', '.bin');

class Installed {
  readonly root: string;
  readonly parts: string;
  private readonly env: NodeJS.ProcessEnv;

  constructor(t: TestContext) {
    this.root = temporaryFolder(t);
    this.parts = path.join(this.root, 'dist', 'parts');
    for (const folder of ['bin', 'dist'])
      fs.cpSync(path.join(repository, folder), path.join(this.root, folder), { recursive: true });
    const PATH = `${bundledNode}:/usr/bin:/bin`;
    this.env = { PATH, HOME: this.root, QUEUECTL_HOME: path.join(this.root, 'home') };
    // Exists after the first command. The next ones store compiled code in it.
    const dist = fs.realpathSync(path.join(this.root, 'dist')).replace(/[^\w.-]/g, '_');
    fs.mkdirSync(path.join(this.root, '.cache', 'queuectl', dist), { recursive: true });
  }

  start(...args: string[]) {
    return start(launcher(this.root), { args, env: this.env });
  }

  run(...args: string[]): Promise<Result> {
    return this.start(...args).ended;
  }

  debug(...args: string[]): Promise<Result> {
    return this.runWith({ QUEUECTL_DEBUG: '1' }, ...args);
  }

  runWith(env: NodeJS.ProcessEnv, ...args: string[]): Promise<Result> {
    return run(launcher(this.root), { args, env: { ...this.env, ...env } });
  }

  /** Whether a command has loaded this part: then what V8 made of it is kept. */
  hasLoaded(name: string): boolean {
    const kept = fs.readdirSync(path.join(this.root, '.cache'), { recursive: true, encoding: 'utf8' });
    return kept.some((file) => path.basename(file).includes(`-${name}-`));
  }

  /** The same queue by a program that is whole. */
  async runElsewhere(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await run(launcher(repository), { args, env: this.env });
    assert.equal(code, 0, stderr);
    return stdout;
  }

  /** The path of the one that main names: there may be others, of earlier builds. */
  part(name: string): string {
    const main = fs.readFileSync(path.join(this.root, 'dist', 'main.cjs'), 'latin1');
    const [file] = new RegExp(`\\bparts/${name}-[0-9a-f]{12}\\.cjs`).exec(main) ?? [];
    assert.ok(file, `main has no part ${name}`);
    return path.join(this.root, 'dist', file);
  }

  async untilJobs(filter: string, least: number): Promise<void> {
    const deadline = Date.now() + 20_000;
    for (;;) {
      const found = JSON.parse(await this.runElsewhere('list', filter, '--json')).length;
      if (found >= least) return;
      assert.ok(Date.now() < deadline, `${found} jobs are ${filter} after 20 s`);
      await delay(50);
    }
  }
}

test('enqueueing a command loads no part, and usual commands load one', async (t) => {
  const program = new Installed(t);
  await program.runElsewhere('init');
  const succeeds = async (...args: string[]) => {
    const { code, stderr } = await program.run(...args);
    assert.equal(code, 0, `${args}: ${stderr}`);
  };
  for (const file of fs.readdirSync(program.parts))
    if (!file.startsWith('usual-')) fs.rmSync(path.join(program.parts, file));
  for (const args of [['status'], ['list'], ['--version']]) await succeeds(...args);
  await succeeds('enqueue', '--group', 'y', 'true');
  fs.rmSync(program.parts, { recursive: true });
  await succeeds('enqueue', 'true');
});

test('a worker loads tracing only if it is configured', async (t) => {
  const program = new Installed(t);
  const drain = async (env: NodeJS.ProcessEnv): Promise<boolean> => {
    await program.run('enqueue', 'true');
    const { code, stderr } = await program.runWith(env, 'worker', 'run', '--drain');
    assert.equal(code, 0, stderr);
    return program.hasLoaded('tracing');
  };
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  assert.equal(await drain({}), false);
  assert.equal(await drain({ ...endpoint, OTEL_SDK_DISABLED: 'true' }), false);
  assert.equal(await drain({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' }), false);
  assert.equal(await drain(endpoint), true);
});

test('a part that is missing or from another build is one clear error, and nothing changes', async (t) => {
  const program = new Installed(t);
  const file = program.part('cron');
  const whole = fs.readFileSync(file, 'latin1');
  const otherDigest = whole.replace(/[0-9a-f]{60}/, 'f'.repeat(60));
  for (const text of [null, otherDigest, whole.slice(0, -100), `${whole}//`, '']) {
    if (text === null) fs.rmSync(file);
    else fs.writeFileSync(file, text);
    const { code, stdout, stderr } = await program.run('schedule', 'add', 'x', '--cron', '0 3 * * *', 'true');
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
    assert.equal(
      stderr,
      `error: queuectl was upgraded while this command ran: '${file}' is missing or belongs to another build\n` +
        ' hint: run the command again; if it fails again, reinstall queuectl\n',
    );
  }
  const { stderr } = await program.run('schedule', 'add', 'x', '--cron', '0 3 * * *', 'true', '--json');
  assert.equal(JSON.parse(stderr).code, 'program_replaced');
  assert.deepEqual(JSON.parse(await program.runElsewhere('schedule', 'list', '--json')), []);
});

test('an error of a part is one of the catalogue, with source lines on request', async (t) => {
  const program = new Installed(t);
  const flow = path.join(program.root, 'flow.yaml');
  fs.writeFileSync(flow, 'jobs: {a: ');
  const { code, stderr } = await program.debug('enqueue', `@${flow}`);
  assert.equal(code, 2);
  assert.match(stderr, /^error: .*invalid YAML.*; nothing was enqueued\n hint: /);
  assert.match(stderr, /at .+\/src\/flow\/yaml\.ts:\d+:\d+\)/);
});

for (const [how, upgrade] of [
  ['removed', (program: Installed) => fs.rmSync(path.join(program.root, 'dist'), { recursive: true })],
  ['overwritten in place', (program: Installed) => fs.writeFileSync(program.part('cron'), 'of another build')],
] as const)
  test(`a worker continues with the parts it started with if they are ${how} by an upgrade`, async (t) => {
    const program = new Installed(t);
    await program.run('enqueue', 'true');
    const worker = program.start('worker', 'run');
    t.after(() => worker.ended);
    try {
      await program.untilJobs('state:completed', 1);
      upgrade(program);
      await program.runElsewhere('schedule', 'add', 'often', '--cron', '* * * * * *', 'true');
      await program.untilJobs('state:completed', 3);
    } finally {
      worker.interrupt('SIGTERM');
    }
    const { code, stderr } = await worker.ended;
    assert.equal(code, 0, stderr);
  });

test('a worker that finds parts of another build does not start', async (t) => {
  const program = new Installed(t);
  const file = program.part('yaml');
  fs.writeFileSync(file, fs.readFileSync(file, 'latin1').replace(/[0-9a-f]{60}/, 'f'.repeat(60)));
  const { code, stderr } = await program.run('worker', 'run', '--drain');
  assert.equal(code, 1);
  assert.match(stderr, /^error: queuectl was upgraded while this command ran: /);
});

test('compiled code of parts is stored, and replaced if it is damaged', async (t) => {
  const program = new Installed(t);
  const next = () => program.run('schedule', 'next', 'yearly', '-n', '1', '--json');
  await program.runElsewhere('schedule', 'add', 'yearly', '--cron', '0 3 1 1 *', 'true');
  const { code, stdout, stderr } = await next();
  assert.equal(code, 0, stderr);
  const own = path.basename(program.root).replaceAll(' ', '_');
  const [kept = ''] = fs.globSync(path.join(program.root, `.cache/queuectl/*${own}*/schedule-more-cron-v*`));
  const digest = fs.readFileSync(program.part('cron')).subarray(0, 64);
  for (const damage of [() => {}, () => fs.writeFileSync(kept, 'garbage'), () => fs.rmSync(kept)]) {
    damage();
    assert.deepEqual(await next(), { code: 0, stdout, stderr: '' });
    assert.deepEqual(fs.readFileSync(kept).subarray(0, 64), digest);
    assert.ok(fs.statSync(kept).size > 64);
  }
});
