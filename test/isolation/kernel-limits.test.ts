// Real kernel limits, with workers in a cgroup from systemd. Without one, doctor must explain how to get it.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { processEntry } from '../../src/process/tree/proc.ts';
import type { Document } from '../cli/support.ts';
import { delegating } from '../support/delegating.ts';
import { type Fleet, type FleetWorker, newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';

/** What a job sees of its own cgroup. */
const OWN_GROUP = 'cd "/sys/fs/cgroup$(cut -d: -f3 /proc/self/cgroup)"';

async function limitsOf(fleet: Fleet): Promise<Document | undefined> {
  const { checks } = await fleet.cli.json<{ checks: Document[] } & Document>('doctor');
  return checks.find(({ name }) => name === 'limits');
}

const through = delegating();

if (through === null)
  test('doctor explains how to get a cgroup if workers have none', async (t) => {
    const fleet = await newFleet(t);
    const { id } = await fleet.worker();
    const limits = await limitsOf(fleet);
    assert.match(String(limits?.message), new RegExp(`^limits for jobs of worker ${id} are enforced per process`));
    assert.match(String(limits?.hint), /Delegate=yes/);
  });
else
  describe('in a cgroup from systemd', () => {
    test('a job has its limits, and its cgroup is removed with it', async (t) => {
      const fleet = await newFleet(t);
      const command = `${OWN_GROUP} && cat memory.max cpu.max pids.max && pwd`;
      await fleet.add({ id: 'a', command, memory: '100M', cpu: '50%', processes: 20 });
      const worker = await fleet.delegatedWorker();
      assert.match(String((await limitsOf(fleet))?.message), /^cgroups for jobs of worker .* are available in/);
      const { usage } = await fleet.untilState('a', 'completed');
      const [, folder = ''] = /^104857600\n50000 100000\n20\n(.+)$/m.exec(await fleet.log('a')) ?? [];
      assert.ok(folder.startsWith(groupOf(worker)), folder);
      assert.ok(!fs.existsSync(folder));
      assert.ok(Number(usage?.cpuSystemMs) + Number(usage?.cpuUserMs) > 0);
    });

    test('no process escapes its job, even without mark and session or in nested cgroups', async (t) => {
      const fleet = await newFleet(t);
      const stray = 'echo $$ >inner/cgroup.procs; echo $$ >"$0"; exec env -i sleep 300';
      const command = `here=$PWD; ${OWN_GROUP} && mkdir inner && (env -i setsid sh -c '${stray}' "$here/pid" &)
        until [ -s "$here/pid" ]; do sleep 0.1; done`;
      await fleet.add({ id: 'a', command, memory: '100M' });
      await fleet.delegatedWorker();
      await fleet.untilState('a', 'completed');
      assert.equal(processEntry(Number(fs.readFileSync(fleet.path('pid'), 'utf8'))), null);
    });

    test('workers share it, and one removes the cgroups of a killed one', async (t) => {
      const fleet = await newFleet(t);
      fleet.cli.start(['worker', 'run'], { through: [...through, 'sh', '-c', '"$0" "$@" & exec "$0" "$@"'] });
      const workers = await until('both are there', async () => {
        const registered = await fleet.queue.workers();
        return registered.length === 2 && registered;
      });
      await fleet.add({ id: 'a', command: 'sleep 300', cpu: '50%' });
      const { lockedBy } = await fleet.untilState('a', 'processing');
      const worker = workers.find(({ id }) => id === lockedBy);
      assert.ok(worker);
      const shared = groupOf(worker);
      process.kill(worker.pid, 'SIGKILL');
      await until('the other one runs it', async () => {
        const job = await fleet.job('a');
        return job.state === 'processing' && job.lockedBy !== lockedBy;
      });
      const left = (): string[] =>
        fs.readdirSync(shared).filter((name) => name.startsWith(`queuectl.job.${worker.pid}.`));
      await until('what was left is removed', () => left().length === 0);
      await fleet.queue.cancel(['a']);
      await fleet.untilState('a', 'cancelled');
    });
  });

/** The parent of the worker's job cgroups. */
const groupOf = ({ pid }: FleetWorker): string => {
  const own = fs.readFileSync(`/proc/${pid}/cgroup`, 'utf8').trim().replace('0::', '/sys/fs/cgroup');
  return path.basename(own) === 'queuectl.workers' ? path.dirname(own) : own;
};
