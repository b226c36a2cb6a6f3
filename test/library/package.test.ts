// The package as a program installs it: its types, its exports, and the examples of docs/guides/library.md as they are written.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { startServer } from '../server/support.ts';
import { installedClone, repository, run, temporaryFolder, withQuickBuild } from '../setup/clone.ts';

const examples = [
  ...fs.readFileSync(path.join(repository, 'docs/guides/library.md'), 'utf8').matchAll(/```ts\n(.*?)```/gs),
].map(([, text = '']) => text);

/** A TypeScript project that has installed the packed package, without a network. */
async function installed(t: TestContext): Promise<string> {
  const [clone, folder] = [withQuickBuild(installedClone(t)), temporaryFolder(t)];
  const packed = await run('npm', { args: ['pack', '--json', '--silent'], cwd: clone });
  assert.equal(packed.code, 0, packed.stderr);
  const [{ filename }] = JSON.parse(packed.stdout);
  fs.writeFileSync(path.join(folder, 'package.json'), '{"name":"a-program","type":"module","private":true}');
  const args = ['install', '--offline', '--ignore-scripts', '--no-audit', path.join(clone, filename)];
  const done = await run('npm', { args, cwd: folder });
  assert.equal(done.code, 0, done.stderr);
  fs.symlinkSync(path.join(repository, 'node_modules/@types'), path.join(folder, 'node_modules/@types'));
  fs.symlinkSync(path.join(repository, 'node_modules/undici-types'), path.join(folder, 'node_modules/undici-types'));
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2024', strict: true, exactOptionalPropertyTypes: true },
    ...{ noUncheckedIndexedAccess: true, types: ['node'], outDir: 'out', rootDir: '.' },
  };
  fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  for (const [i, text] of examples.entries()) fs.writeFileSync(path.join(folder, `example${i}.ts`), text);
  return folder;
}

test('a TypeScript project compiles and runs against the package', async (t) => {
  const project = await installed(t);
  assert.ok(examples.length >= 6);
  const tsc = await run(process.execPath, {
    args: [path.join(repository, 'node_modules/typescript/bin/tsc'), '--project', project, '--singleThreaded'],
  });
  assert.equal(tsc.code, 0, tsc.stdout);
  fs.cpSync(path.join(project, 'out'), project, { recursive: true });
  const server = await startServer(t);
  const env = { ...process.env, QUEUE_SERVER: server.url, QUEUECTL_TOKEN: server.token };
  for (const i of examples.keys())
    await t.test(`example ${i + 1} of docs/guides/library.md does what it says`, async () => {
      const ran = await run(process.execPath, { args: [`example${i}.js`], cwd: project, env });
      assert.deepEqual([ran.code, ran.stderr], [0, '']);
    });
  await t.test('wrong types do not compile', async () => {
    const wrong = [
      "import { connect } from 'queuectl/client';",
      "const queue = connect('http://127.0.0.1:1');",
      "await queue.enqueue({ comand: 'true' });",
      'await queue.work();',
    ];
    fs.writeFileSync(path.join(project, 'wrong.ts'), wrong.join('\n'));
    const { code, stdout } = await run(process.execPath, {
      args: [
        path.join(repository, 'node_modules/typescript/bin/tsc'),
        '--project',
        project,
        '--noEmit',
        '--singleThreaded',
      ],
    });
    assert.notEqual(code, 0);
    assert.match(stdout, /wrong\.ts\(3,.*'comand' does not exist/s);
    assert.match(stdout, /wrong\.ts\(4,.*'work' does not exist/s);
  });
  await t.test('the client includes no database code', () => {
    const folder = path.join(project, 'node_modules/queuectl/dist/library');
    const seen = reachedFrom(folder, 'client.js').map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
    assert.ok(seen.length > 1 && seen.every((text) => !/node:sqlite|SELECT |INSERT INTO/.test(text)));
    assert.ok(seen.join('').length < 80_000);
  });
});

function reachedFrom(folder: string, entry: string): string[] {
  const reached = new Set([entry]);
  for (const name of reached) {
    const text = fs.readFileSync(path.join(folder, name), 'utf8');
    for (const [, other = ''] of text.matchAll(/(?:from|import) ?"\.\/([\w-]+\.js)"/g)) reached.add(other);
  }
  return [...reached];
}
