// Tests of job cgroups: finding, limiting, joining, killing and removing them. Files in a directory replace missing
// kernel features.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { type CgroupFiles, findDelegated, handOn, isDelegated } from '../../src/isolation/limits/cgroup.ts';
import { membersOf, strangerIn } from '../../src/isolation/limits/cgroup-members.ts';
import { JobCgroup } from '../../src/isolation/limits/job-cgroup.ts';
import { limitedCommand } from '../../src/isolation/limits/limit-script.ts';
import { processEntry } from '../../src/process/tree/proc.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

/** Simulates kernel files, with this process in the cgroup `at`. */
function standIn(t: TestContext, controllers: string, at = '/app.service'): CgroupFiles & { folder: string } {
  const root = temporaryFolder(t);
  const folder = path.join(root, 'mount', at);
  fs.mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string): void => fs.writeFileSync(path.join(root, name), text);
  write(
    'mountinfo',
    `22 1 0:20 / /proc rw - proc proc rw\n41 31 0:38 / ${root.replaceAll(' ', '\\040')}/mount rw,relatime - cgroup2 cgroup2 rw\n`,
  );
  write('cgroup', `4:memory:/other\n0::${at}\n`);
  const files = { controllers, type: 'domain\n', procs: `${process.pid}\n`, subtree_control: '' };
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, `cgroup.${name}`), text);
  return { mountinfo: path.join(root, 'mountinfo'), ownCgroup: path.join(root, 'cgroup'), folder };
}

describe('a directory for cgroups', () => {
  test('is our own cgroup if it is writable and has controllers', (t) => {
    const files = standIn(t, 'cpuset cpu io memory pids\n');
    const found = findDelegated(files);
    assert.deepEqual(found, { folder: files.folder, controllers: new Set(['cpu', 'memory', 'pids']) });
  });

  test('is the parent of the worker leaf for a process started from there', (t) => {
    const files = standIn(t, 'memory\n', '/app.service/queuectl.workers');
    const above = path.dirname(files.folder);
    for (const name of ['controllers', 'procs', 'subtree_control', 'type'])
      fs.copyFileSync(path.join(files.folder, `cgroup.${name}`), path.join(above, `cgroup.${name}`));
    const found = findDelegated(files);
    assert.ok(isDelegated(found) && found.folder === above);
  });

  test('is unavailable without cgroup v2 or without controllers', (t) => {
    const files = standIn(t, 'hugetlb\n');
    assert.match(JSON.stringify(findDelegated(files)), /has none of the controllers memory, cpu, pids/);
    fs.writeFileSync(files.mountinfo, '22 1 0:20 / /proc rw - proc proc rw\n');
    assert.match(JSON.stringify(findDelegated(files)), /no cgroup v2/);
  });

  test('gets its controllers enabled once the worker has moved into a leaf', (t) => {
    const files = standIn(t, 'memory\n');
    const found = findDelegated(files);
    assert.ok(isDelegated(found));
    handOn(found);
    const leaf = path.join(files.folder, 'queuectl.workers', 'cgroup.procs');
    assert.equal(fs.readFileSync(leaf, 'utf8'), String(process.pid));
    assert.equal(fs.readFileSync(path.join(files.folder, 'cgroup.subtree_control'), 'utf8'), '+memory');
  });

  test('is not a cgroup shared with another program, which is named and not moved', (t) => {
    const files = standIn(t, 'memory cpu\n');
    fs.writeFileSync(path.join(files.folder, 'cgroup.procs'), `${process.pid}\n1\n`);
    assert.match(JSON.stringify(findDelegated(files)), /is shared with .+ \(pid 1\)/);
    assert.equal(handOn({ folder: files.folder, controllers: new Set(['memory', 'cpu']) }).size, 0);
    assert.equal(fs.readFileSync(path.join(files.folder, 'cgroup.subtree_control'), 'utf8'), '');
    assert.ok(!fs.existsSync(path.join(files.folder, 'queuectl.workers')));
  });

  test('may be the root cgroup, which enables controllers next to its processes', (t) => {
    const files = standIn(t, 'memory\n');
    fs.rmSync(path.join(files.folder, 'cgroup.type'));
    fs.writeFileSync(path.join(files.folder, 'cgroup.procs'), `${process.pid}\n1\n`);
    const found = findDelegated(files);
    assert.ok(isDelegated(found) && handOn(found));
    assert.equal(fs.readFileSync(path.join(files.folder, 'cgroup.subtree_control'), 'utf8'), '+memory');
    assert.ok(!fs.existsSync(path.join(files.folder, 'queuectl.workers')));
  });

  test('may only be shared with other workers and processes left by jobs', async (t) => {
    const entrance = path.join(temporaryFolder(t), 'cgroup.procs');
    const [worker, left, other] = [
      `sh -c 'sleep 300; :' ${process.argv[1]}`,
      'QUEUECTL_LEASE=w1/2/3 sleep 300',
      'QUEUECTL_LEASE= sleep 300',
    ].map((command) => orphan(t, command)) as [number, number, number];
    for (const pid of [worker, left, other])
      await until('it has lost its parent', () => processEntry(pid)?.parent !== process.pid);
    fs.writeFileSync(entrance, `${worker}\n${left}\n`);
    await until('both are known', () => strangerIn(entrance) === null);
    fs.appendFileSync(entrance, `${other}\n`);
    await until('the other is a stranger', () => strangerIn(entrance) === `sleep (pid ${other})`);
  });
});

/** In its own session, and without a parent that knows it. */
function orphan(t: TestContext, command: string): number {
  const shell = ['-c', `setsid env ${command} >/dev/null 2>&1 & echo $!`];
  const pid = Number(spawnSync('/bin/sh', shell, { encoding: 'utf8' }).stdout);
  t.after(() => process.kill(-pid));
  return pid;
}

describe('the cgroup of a job', () => {
  test('sets limits and reads usage', (t) => {
    const group = JobCgroup.make(temporaryFolder(t));
    const file = (name: string): string => path.join(group.folder, name);
    group.limit({ memoryBytes: 5e8, cpuPercent: 150, processes: 9 }, new Set(['memory', 'cpu', 'pids']));
    const told = ['memory.max', 'memory.oom.group', 'cpu.max', 'pids.max'].map((name) =>
      fs.readFileSync(file(name), 'utf8'),
    );
    assert.deepEqual(told, ['500000000', '1', '150000 100000', '9']);
    assert.deepEqual([group.usage, group.hasRunOutOfMemory, group.hasRunOutOfProcesses], [null, false, false]);
    fs.writeFileSync(file('memory.peak'), '4096\n');
    fs.writeFileSync(file('cpu.stat'), 'usage_usec 5000\nuser_usec 3000\nsystem_usec 2000\n');
    fs.writeFileSync(file('memory.events'), 'low 0\noom 1\noom_kill 1\noom_group_kill 1\n');
    fs.writeFileSync(file('pids.events'), 'max 3\n');
    assert.deepEqual(group.usage, { peakMemoryBytes: 4096, cpuUserMs: 3, cpuSystemMs: 2 });
    assert.ok(group.hasRunOutOfMemory && group.hasRunOutOfProcesses);
  });

  test('is removed if its worker is dead, and kept if it is alive', async (t) => {
    const parent = temporaryFolder(t);
    const gone = spawn('true');
    await once(gone, 'exit');
    for (const name of [`${gone.pid}.1`, '1.1']) fs.mkdirSync(path.join(parent, `queuectl.job.${name}`));
    await JobCgroup.removeAbandoned(parent);
    assert.deepEqual(fs.readdirSync(parent), ['queuectl.job.1.1']);
  });

  const mount = realMount();
  test('is joined by the wrapper and killed with all its processes', async (t) => {
    if (mount === null) return assert.ok(!canWriteTo('/sys/fs/cgroup/unified'), 'no cgroup v2 to write to');
    const group = JobCgroup.make(mount);
    t.after(() => group.remove());
    const inner = path.join(group.folder, 'inner');
    const script = `mkdir ${inner}; setsid sh -c 'echo $$ >${inner}/cgroup.procs; exec sleep 300' & sleep 300 & wait`;
    const [program = '', ...args] = limitedCommand(['sh', '-c', script], { entrance: group.entrance });
    const child = spawn(program, args);
    await until('the shell and one are in it', () => membersOf(group.entrance).length === 2);
    await until('the other is in one that it made', () => membersOf(`${inner}/cgroup.procs`).length === 1);
    const ended = once(child, 'exit');
    await group.remove();
    await ended;
    assert.ok(!fs.existsSync(group.folder));
  });
});

/** Returns null if there is no writable cgroup. */
function realMount(): string | null {
  const line = fs
    .readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .find((one) => / - cgroup2 /.test(one));
  const at = line?.split(' ')[4];
  return at !== undefined && canWriteTo(at) ? at : null;
}

function canWriteTo(folder: string): boolean {
  try {
    fs.accessSync(path.join(folder, 'cgroup.procs'), fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
