// Whether a job finds the password of its queue's server by itself.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { lacksPassword } from '../../src/store/postgres/session/lacks-password.ts';
import { parseTarget } from '../../src/store/postgres/session/target.ts';
import { newFolder, removeFolder } from '../support/folder.ts';

const SECRET = 'postgres://ann:hunter2@db:5432/jobs';
const OPEN = 'postgres://ann@db:5432/jobs';

test('a job lacks the password unless it is where every program looks for it', (t) => {
  const folder = newFolder();
  t.after(() => removeFolder(folder));
  const write = (name: string, text: string): string => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const passfile = write('pass', 'db:5432:jobs:ann:hunter2\n');
  const foreign = write('foreign', 'other:5432:jobs:ann:hunter2\n');
  const services = write('services', '[jobs]\nhost=db\nuser=ann\ndbname=jobs\npassword=hunter2\n');
  const HOME = folder;
  const lacks = (address: string, worker: NodeJS.ProcessEnv, job: NodeJS.ProcessEnv): boolean =>
    lacksPassword(address, parseTarget(address, { HOME, ...worker }))({ HOME, ...job });
  assert.equal(lacks(OPEN, {}, {}), false, 'nobody needs one');
  assert.equal(lacks(SECRET, {}, {}), true);
  assert.equal(lacks(OPEN, { PGPASSWORD: 'hunter2' }, {}), true);
  assert.equal(lacks(OPEN, { PGPASSFILE: passfile }, {}), true, 'its file is not named to the job');
  assert.equal(lacks(OPEN, { PGPASSFILE: passfile }, { PGPASSFILE: passfile }), false);
  assert.equal(lacks(SECRET, {}, { PGPASSFILE: foreign }), true, 'a file without it');
  assert.equal(lacks(`${OPEN}?passfile=${passfile}`, {}, {}), false, 'the address names its file');
  const service = { PGSERVICE: 'jobs', PGSERVICEFILE: services };
  assert.equal(lacks('postgres://', service, service), false);
  assert.equal(lacks('postgres://', service, {}), true);
});
