// A field that users can set and filter by takes four source files and a migration: a made-up one is added to a copy of the sources,
// as CONTRIBUTING.md describes it, and used. A list of fields that is kept by hand somewhere makes this fail.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '../support/folder.ts';

const root = path.join(import.meta.dirname, '../..');

/** What is added in each file, and the text that it follows. */
const ADDED: Readonly<Record<string, readonly (readonly [after: string, added: string])[]>> = {
  'src/job/job.ts': [['export interface NewJob {\n', '  readonly owner: string | null;\n']],
  'src/job/fresh-job.ts': [['    id: job.id,\n', '    owner: job.owner,\n']],
  'src/job/fields/identity.ts': [
    [
      'export const IDENTITY = {\n',
      `  owner: {
        input: { owner: { ...NAME, help: 'the team to ask', flag: { kind: 'text', value: 'TEAM' } } },
        unset: null,
        edit: 'replace or unset',
        json: { shape: orNull(TEXT) },
        stored: { columns: { owner: text(({ owner }) => owner) } },
      },\n`,
    ],
  ],
  'src/job/fields/filtered.ts': [
    [
      'export const FIELD_FILTERS = {\n',
      `  owner: {
        columns: ['owner'],
        compares: 'one of',
        help: 'its owner',
        flag: { value: 'TEAM', help: 'only of this team' },
      },\n`,
    ],
  ],
};

const MIGRATION = `
import type { Migration } from '../../sql/migration.ts';
export const owners: Migration = { version: VERSION, name: 'owners', sql: () => 'ALTER TABLE jobs ADD COLUMN owner text' };`;

function copyWithField(t: TestContext): string {
  const copy = temporaryFolder(t);
  for (const part of ['src', 'scripts', 'test/cli', 'test/server', 'test/support', 'package.json'])
    fs.cpSync(path.join(root, part), path.join(copy, part), { recursive: true });
  for (const part of ['node_modules', 'dist']) fs.symlinkSync(path.join(root, part), path.join(copy, part));
  for (const [file, changes] of Object.entries(ADDED))
    for (const [after, added] of changes) change(copy, file, after, after + added);
  addMigration(copy);
  return copy;
}

function change(copy: string, file: string, before: string | RegExp, after: string): void {
  const [name, text] = [path.join(copy, file), fs.readFileSync(path.join(copy, file), 'utf8')];
  assert.notEqual(text.replace(before, after), text, file);
  fs.writeFileSync(name, text.replace(before, after));
}

function addMigration(copy: string): void {
  const store = 'src/store/sqlite';
  const migrations = fs.readdirSync(path.join(copy, store, 'migrations'));
  const version = migrations.length; // all.ts stands in for the new one
  const text = MIGRATION.replace('VERSION', String(version));
  fs.writeFileSync(path.join(copy, store, 'migrations/owners.ts'), text);
  change(copy, `${store}/migrations/all.ts`, /\n\];/, '\n  owners,\n];');
  change(copy, `${store}/migrations/all.ts`, /^import /m, "import { owners } from './owners.ts';\nimport ");
  change(copy, `${store}/migrate.ts`, /SCHEMA_VERSION = \d+/, `SCHEMA_VERSION = ${version}`);
}

const DATA = [
  ...['JobDetails', 'Attempt', 'Wait', 'JobPage', 'JobCount', 'Status', 'WorkerCounts', 'Worker', 'Group'],
  ...['NamedQueue', 'Schedule', 'ScheduleDetails', 'Tick'],
];

const COMPARED = `
import type * as derived from './library/job-data.ts';
import type * as written from './written.ts';
import type * as derivedData from './library/data.ts';
import type * as writtenData from './written-data.ts';
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;
export const same: [Same<derived.Job, written.Job>, Same<derived.NewJob, written.NewJob>] = [true, true];
${DATA.map((name) => `export const same${name}: Same<derivedData.${name}, writtenData.${name}> = true;`).join('\n')}`;

// biome-ignore lint/suspicious/noExplicitAny: the modules of the copy have a field more than ours
const load = (copy: string, file: string): Promise<any> => import(path.join(copy, file));

test('a new field takes four files and a migration', async (t) => {
  assert.equal(Object.keys(ADDED).length, 4);
  const copy = copyWithField(t);

  await t.test('it compiles, and the package has the derived types', async () => {
    const { jobTypes } = await load(copy, 'scripts/job-types.ts');
    fs.writeFileSync(path.join(copy, 'src/written.ts'), jobTypes());
    const { dataTypes } = await load(copy, 'scripts/data-types.ts');
    const dataText = dataTypes().replaceAll('./job-data.js', './written.ts');
    fs.writeFileSync(path.join(copy, 'src/written-data.ts'), dataText);
    fs.writeFileSync(path.join(copy, 'src/compared.ts'), COMPARED);
    const config = {
      ...JSON.parse(fs.readFileSync(path.join(root, 'tsconfig.json'), 'utf8')),
      include: ['src'],
    };
    fs.writeFileSync(path.join(copy, 'tsconfig.json'), JSON.stringify(config));
    // More threads would check shared types several times, which takes twice the work.
    await promisify(execFile)(process.execPath, ['node_modules/.bin/tsc', '--singleThreaded'], { cwd: copy });
  });

  await t.test('it is set, shown, edited and filtered on the command line', async () => {
    const { runInProcess } = await load(copy, 'test/cli/in-process.ts');
    const home = temporaryFolder(t);
    const run = async (...argv: string[]) => {
      const { code, stdout, stderr } = await runInProcess(argv, { QUEUECTL_HOME: home }, home);
      assert.equal(code, 0, stderr);
      return stdout;
    };
    const ids = async (...argv: string[]): Promise<string[]> =>
      JSON.parse(await run('list', '--json', ...argv)).map(({ id }: { id: string }) => id);
    await run('enqueue', '--id', 'a', '--owner', 'web', 'true');
    await run('enqueue', '{"id":"b","command":"true","owner":"ops"}');
    assert.deepEqual(await ids('owner:web'), ['a']);
    assert.deepEqual(await ids('--owner', 'ops'), ['b']);
    await run('edit', 'b', '--owner', 'web');
    assert.deepEqual((await ids('owner:web')).sort(), ['a', 'b']);
    await run('edit', 'a', '--unset', 'owner');
    assert.equal(JSON.parse(await run('show', 'a', '--json')).owner, null);
    assert.match(await run('enqueue', '--help'), /--owner TEAM +the team to ask/);
  });

  await t.test('it is accepted and returned over HTTP, and is documented there', async (t) => {
    const { startServer } = await load(copy, 'test/server/support.ts');
    const { ask } = await startServer(t);
    const created = await ask('POST', '/jobs', { id: 'a', command: 'true', owner: 'web' });
    assert.deepEqual([created.status, created.json.jobs[0].owner], [201, 'web']);
    assert.equal((await ask('GET', '/jobs?filter=owner:web')).json.jobs.length, 1);
    assert.equal((await ask('POST', '/jobs', { command: 'true', owner: 5 })).status, 400);
    const { openApiDocument } = await load(copy, 'src/server/http/openapi.ts');
    const { NewJob, Job } = openApiDocument('test').components.schemas;
    assert.equal(NewJob.properties.owner.description, 'The team to ask');
    assert.deepEqual(Job.properties.owner.type, ['string', 'null']);
  });

  await t.test('programs see it in the types of the package', async () => {
    const { jobTypes } = await load(copy, 'scripts/job-types.ts');
    assert.match(jobTypes(), /readonly owner: string \| null;.*The team to ask.*readonly owner\?: string;/s);
  });
});
