// Measures the worker itself: five hundred jobs at once, and idling.

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inSandbox, type Sandbox } from '../measure.ts';
import { atMost, type Bench, ms, type Row } from '../row.ts';

const AT_ONCE = 500;
const IDLE_SECONDS = 20;
const TICKS_PER_SECOND = 100;

export const bench: Bench = {
  name: 'worker',
  run: async (say) => [
    ...(await inSandbox((sandbox) => manyAtOnce(sandbox, say))),
    ...(await inSandbox((sandbox) => idle(sandbox, say))),
  ],
};

async function manyAtOnce({ folder, queuectl }: Sandbox, say: (line: string) => void): Promise<Row[]> {
  say(`${AT_ONCE} jobs at once`);
  const [worker] = JSON.parse(queuectl(['worker', 'start', '--concurrency', String(AT_ONCE), '--json']));
  const ledger = join(folder, 'ledger');
  writeFileSync(ledger, '');
  queuectl(['enqueue', '-', '--lines'], `echo x >> ${ledger}; sleep 30\n`.repeat(AT_ONCE));
  const startedAt = performance.now();
  while (statSync(ledger).size < 2 * AT_ONCE) await sleep(5);
  const elapsed = performance.now() - startedAt;
  const mebibytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${worker.pid}/status`, 'utf8'))?.[1]) / 1024;
  return [
    {
      measure: `${AT_ONCE} × sleep 30 in one worker: all running`,
      against: '5 s',
      ours: ms(elapsed),
      theirs: '5,000 ms',
      ...atMost(elapsed / 5000, 1),
    },
    {
      measure: `memory of that worker`,
      against: '200 MiB',
      ours: `${Math.round(mebibytes)} MiB`,
      theirs: '200 MiB',
      ...atMost(mebibytes / 200, 1),
    },
  ];
}

async function idle({ queuectl }: Sandbox, say: (line: string) => void): Promise<Row[]> {
  const [worker] = JSON.parse(queuectl(['worker', 'start', '--json']));
  await sleep(2000); // excludes its startup
  say(`an idle worker for ${IDLE_SECONDS} s`);
  const before = { cpu: cpuSeconds(worker.pid), written: writtenBytes(worker.pid) };
  await sleep(IDLE_SECONDS * 1000);
  const share = ((cpuSeconds(worker.pid) - before.cpu) / IDLE_SECONDS) * 100;
  const perHeartbeat = (writtenBytes(worker.pid) - before.written) / (IDLE_SECONDS / 5);
  return [
    {
      measure: 'an idle worker, share of a core',
      against: '0.5 %',
      ours: `${share.toFixed(2)} %`,
      theirs: '0.5 %',
      ...atMost(share / 0.5, 1),
    },
    {
      measure: 'an idle worker, written per heartbeat (5 s)',
      against: 'a few pages: 32 KiB',
      ours: `${Math.round(perHeartbeat / 1024)} KiB`,
      theirs: '32 KiB',
      ...atMost(perHeartbeat / 32_768, 1),
    },
  ];
}

function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

const writtenBytes = (pid: number): number =>
  Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
