// Tests what a sandboxed job can and cannot do.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { isAlive } from '../support/fleet.ts';
import { until } from '../support/until.ts';
import { isSleeping, newSandboxes, type Sandboxes } from './sandboxes.ts';

let boxes: Sandboxes;
const ends: (() => void | Promise<void>)[] = [];
before(async () => {
  boxes = await newSandboxes({ after: (end) => ends.push(end) });
});
after(async () => {
  for (const end of ends) await end();
});

describe('a job in a sandbox', () => {
  test('works in its directory, reads its input and reports its result', async () => {
    const ended = await boxes.run(
      'cat > copy; echo "::progress 40 half"; echo \'{"n":1}\' > "$QUEUECTL_RESULT"; echo end > /dev/stderr',
      { stdin: 'hello\n' },
    );
    if (ended === null) return;
    assert.deepEqual([ended.job.state, ended.job.result, ended.job.progress], ['completed', '{"n":1}', 40]);
    assert.equal(fs.readFileSync(path.join(boxes.work, 'copy'), 'utf8'), 'hello\n');
    assert.match(ended.output, /end$/);
    const left = fs.readdirSync(path.dirname(String(ended.job.logPath))).filter((name) => name.includes('~'));
    assert.deepEqual(left, [], 'nothing is left of what was between them');
  });

  for (const name of ['it\'s "here"', 'an $(echo) `x`', 'two\nlines', 'a 🦊', '--bind'])
    test(`works in a directory named ${JSON.stringify(name)}`, async () => {
      const cwd = fs.mkdtempSync(path.join(boxes.work, name));
      const ended = await boxes.run(['sh', '-c', 'pwd; echo done > file'], { cwd });
      if (ended === null) return;
      assert.equal(ended.output, cwd);
      assert.deepEqual(fs.readdirSync(cwd), ['file']);
    });

  test('reports its exit code or signal', async () => {
    assert.equal((await boxes.run('exit 7'))?.job.exitCode ?? 7, 7);
    const killed = await boxes.run('kill -SEGV $$');
    assert.equal(killed?.error ?? 'exit code 139 (SIGSEGV)', 'exit code 139 (SIGSEGV)');
  });

  test('reports a missing program as not started, with the reason', async () => {
    const ended = await boxes.run(['no-such-program']);
    if (ended === null) return;
    assert.match(String(ended.error), /^could not start 'no-such-program' in the sandbox: .*No such file/);
    assert.deepEqual(await boxes.fleet.outcomes(ended.job.id), ['not_started']);
  });

  test('has its own variables and few inherited ones', async () => {
    const ended = await boxes.run('echo "$SECRET/$OWN/$QUEUECTL_JOB_ID"', {
      id: 'named',
      env: { OWN: 'mine' },
    });
    assert.equal(ended?.output ?? '/mine/named', '/mine/named');
  });
});

describe('a job in a sandbox cannot', () => {
  test('see the files of its user or siblings of its directory', async () => {
    boxes.file('secret', 'hunter2');
    const ended = await boxes.run('ls -A ~; cat ~/.ssh/id_* ../secret; ls ..; cat /etc/shadow');
    if (ended === null) return;
    assert.doesNotMatch(ended.output, /hunter2|root:/);
    assert.match(ended.output, /^cat: .*\.ssh/, 'its home is empty');
    assert.match(ended.output, /^work$/m, 'and so is all around it');
  });

  test('fill /dev, but can use its devices', async () => {
    const ended = await boxes.run(
      'echo x 2>&1 > /dev/new; mkdir /dev/pts/d /dev/d; echo x > /dev/null && echo x > /dev/shm/y && head -c 4 /dev/zero | wc -c',
    );
    if (ended === null) return;
    assert.match(ended.output, /\/dev\/new: Read-only file system/);
    assert.match(ended.output, /^4$/m);
  });

  test('reach the network unless its profile allows it', async () => {
    const server = http.createServer((_, response) => response.end('reached')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const node = path.dirname(fs.realpathSync(process.execPath));
    const readonly = ['{system}', node];
    await boxes.fleet.set({
      sandbox_profiles: JSON.stringify({ apart: { readonly }, reach: { readonly, network: true } }),
    });
    const program = `fetch('http://127.0.0.1:${port}').then((r) => r.text()).then(console.log, (e) => console.log('no:', e.cause?.code))`;
    const said = async (sandbox: string) =>
      (await boxes.run([fs.realpathSync(process.execPath), '-e', program], { sandbox }))?.output;
    try {
      assert.equal((await said('apart')) ?? 'no: ECONNREFUSED', 'no: ECONNREFUSED');
      assert.equal((await said('reach')) ?? 'reached', 'reached');
    } finally {
      server.close();
    }
  });

  test('write anywhere else, not even through links in its directory', async () => {
    const secret = boxes.file('target', 'unchanged');
    fs.symlinkSync(secret, path.join(boxes.work, 'link'));
    fs.symlinkSync(boxes.fleet.cli.folder, path.join(boxes.work, 'out'));
    const ended = await boxes.run(
      'cat link out/target 2>/dev/null; echo changed > link; echo x > out/x; echo x > ../x; for f in /usr/x /x /etc/x /proc/self/oom_score_adj; do (echo 0 > $f) 2>/dev/null && echo "wrote $f"; done; true',
    );
    assert.equal(ended?.output ?? '', '');
    assert.equal(fs.readFileSync(secret, 'utf8'), 'unchanged');
    assert.ok(!fs.existsSync(boxes.fleet.path('x')));
  });

  test('change kernel settings, even as root', async () => {
    const ended = await boxes.run(
      'for f in /proc/sys/kernel/core_pattern /proc/sysrq-trigger; do test -w $f && echo $f; done; true',
    );
    assert.equal(ended?.output ?? '', '');
  });

  test('gain privileges, not even in a new namespace', async () => {
    const ended = await boxes.run('grep CapEff /proc/self/status; unshare -U true 2>/dev/null && echo more');
    assert.equal(ended?.output ?? 'CapEff:\t0000000000000000', 'CapEff:\t0000000000000000');
  });

  test('see or signal processes outside', async () => {
    const victim = spawn('sleep', ['60'], { stdio: 'ignore' });
    try {
      const ended = await boxes.run(`kill -9 ${victim.pid}; ls /proc | grep -c '^[0-9]'`);
      if (ended !== null) {
        assert.ok(isAlive(Number(victim.pid)));
        assert.ok(Number(ended.output.split('\n').at(-1)) < 10, ended.output);
      }
    } finally {
      victim.kill('SIGKILL');
    }
  });

  test('read the database, its logs or the environment of its worker', async () => {
    const home = boxes.fleet.cli.home;
    for (const sandbox of ['strict', 'readonly']) {
      const ended = await boxes.run(
        `cat "$QUEUECTL_DB" "$QUEUECTL_DB-wal" '${home}/queue.db'; ls '${home}/run' '${home}/logs' | grep -v '^queue.db$'; grep -az QUEUECTL_HOME /proc/*/environ; true`,
        { sandbox },
      );
      if (ended === null) continue;
      assert.doesNotMatch(ended.output, /SQLite|\.pid|wake|matches/);
    }
  });

  test('leave processes running, in any session', async () => {
    const ended = await boxes.run('setsid nohup sleep 61.5 >/dev/null 2>&1 & env -i setsid sleep 61.5 & echo started');
    if (ended === null) return;
    assert.equal(ended.output, 'started');
    await until('nothing is left', () => !isSleeping('61.5'));
  });
});

describe('a sandbox', () => {
  test('with the profile readonly shows everything except hidden paths, read-only', async () => {
    const ended = await boxes.run(
      'test -d /var/lib && echo all; touch x 2>/dev/null || echo no; find /run -type f; find /run -type s',
      {
        sandbox: 'readonly',
        cwd: boxes.work,
      },
    );
    if (ended === null) return;
    assert.match(ended.output, /^all\nno(\n\/run\/queuectl\/\S+)?$/, 'but for its own socket, of root');
  });

  test('with a custom profile applies its shown, hidden and writable paths', async () => {
    for (const name of ['cache', 'hidden', 'shown']) fs.mkdirSync(boxes.fleet.path(`own-${name}`));
    boxes.file('own-shown/file', 'shown');
    boxes.file('own-hidden/file', 'hunter2');
    const [cache, hidden, shown] = ['cache', 'hidden', 'shown'].map((name) => boxes.fleet.path(`own-${name}`));
    await boxes.fleet.set({
      sandbox_profiles: JSON.stringify({
        own: {
          writable: ['{cwd}', cache],
          readonly: ['{system}', shown, hidden],
          hidden: [hidden],
          env: 'all',
        },
      }),
    });
    const ended = await boxes.run(
      [
        'sh',
        '-c',
        'cat "$2/file"; echo new > "$0/file"; echo x > "$2/x"; cat "$1/file"',
        String(cache),
        String(hidden),
        String(shown),
      ],
      { sandbox: 'own' },
    );
    if (ended === null) return;
    assert.match(ended.output, /^shown/);
    assert.doesNotMatch(ended.output, /hunter2/);
    assert.equal(fs.readFileSync(`${cache}/file`, 'utf8'), 'new\n');
    assert.ok(!fs.existsSync(`${shown}/x`));
  });

  test('is rejected if a job could write to the database', async () => {
    const ended = await boxes.run('true', { cwd: boxes.fleet.cli.folder });
    if (ended !== null)
      assert.match(String(ended.error), /^could not start: the sandbox would make the queue's own directory /);
  });

  test('is rejected if the working directory of its job is gone', async () => {
    const cwd = fs.mkdtempSync(path.join(boxes.work, 'gone'));
    fs.rmdirSync(cwd);
    const ended = await boxes.run('true', { cwd });
    if (ended !== null) assert.equal(ended.error, `could not start: the working directory '${cwd}' no longer exists`);
  });

  test('is stopped completely, with a grace period, when its job is cancelled', async () => {
    const trap = 'trap "sleep 0.2; echo cleaned > cleaned; exit 3" TERM';
    if (!boxes.canBeMade) return assert.equal(await boxes.run('true'), null);
    const running = boxes.run(`${trap}; env -i setsid sleep 62.5 & echo > up; sleep 62.5 & wait`, {
      id: 'cancelled',
    });
    await until('it runs', () => fs.existsSync(path.join(boxes.work, 'up')));
    await boxes.fleet.cli.text('cancel', 'cancelled');
    const ended = await running;
    assert.deepEqual([ended?.job.state, ended?.error], ['cancelled', 'cancelled while running']);
    assert.ok(fs.existsSync(path.join(boxes.work, 'cleaned')), 'it was given its grace');
    assert.ok(!isSleeping('62.5'));
  });

  test('is warned before its timeout and stopped after it', async () => {
    const ended = await boxes.run('trap "echo warned" USR1; setsid sleep 63.5 & while :; do sleep 0.05; done', {
      timeout_seconds: 1,
      warn_signal: 'USR1',
      warn_seconds: 0.5,
    });
    if (ended === null) return;
    assert.match(ended.output, /warned/);
    assert.match(String(ended.error), /^timeout after 1 s/);
    assert.ok(!isSleeping('63.5'));
  });
});
