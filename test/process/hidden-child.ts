// Starts a process as root, becomes another user, and prints as JSON how it sees that process: while it runs, and after
// its exit.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Fate, fateOf, ownIdentity } from '../../src/process/tree/identity.ts';
import { anyEntry, exists } from '../../src/process/tree/proc.ts';
import { becomeNobody } from '../support/hiding.ts';

export interface Findings {
  /** As root, as another user, and after the exit. */
  readonly fates: readonly Fate[];
  readonly hasEntry: boolean;
  readonly exists: boolean;
}

const own = { ...ownIdentity({}), storeId: 'here' };
const child = spawn('cat', { stdio: ['pipe', 'ignore', 'inherit'] }); // exits when its input closes
const pid = Number(child.pid);
const other = { ...own, pid, pidStartedAt: anyEntry(pid)?.startedAt ?? null };

const asRoot = fateOf(other, own);
becomeNobody();
const asNobody = { fate: fateOf(other, own), hasEntry: anyEntry(pid) !== null, exists: exists(pid) };
child.stdin.end();
await once(child, 'exit');

const { fate, ...rest } = asNobody;
const findings: Findings = { fates: [asRoot, fate, fateOf(other, own)], ...rest };
console.log(JSON.stringify(findings));
