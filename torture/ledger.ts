// The ledger: each job appends a line outside the queue when it starts and when it ends. All lines are written on one
// host, so their order is the order of events. A job also checks whether another attempt of itself is alive, and
// whether one of its gates is exceeded; neither must ever happen.

import { appendFileSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hostClockMs } from '../src/process/tree/host-clock.ts';

export interface Entry {
  readonly kind: 'start' | 'end' | 'overlap' | 'crowded';
  readonly jobId: string;
  readonly pid: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly workerId: string;
  /** Position of its line; a smaller one is earlier. */
  readonly offset: number;
  /**
   * start: queue, slots, and gates as NAME=LIMIT. end: exit code. overlap: the /proc line of the other attempt's
   * process. crowded: the gate, its count and its limit.
   */
  readonly note: string;
}

/** A concurrency limit: a key, a group, a queue or a schedule. */
export interface Gate {
  readonly name: string;
  readonly limit: number;
}

/** What must hold while a job runs. */
export interface Label {
  readonly gates?: readonly Gate[];
  /** Number of slots it takes. */
  readonly weight?: number;
  /** Reserved memory in GiB. */
  readonly memoryGib?: number;
}

/** Name under which a memory reservation is listed among the gates. */
export const MEMORY = 'memory';

export class Ledger {
  private readonly path: string;
  private readonly holders: string;

  constructor(folder: string) {
    this.path = join(folder, 'ledger');
    this.holders = join(folder, 'holders');
    mkdirSync(this.holders, { recursive: true });
    appendFileSync(this.path, '');
  }

  /**
   * Returns a shell command that writes to the ledger around `work`. It reads /proc instead of starting programs.
   * Processes are identified by PID and start tick, because PIDs are reused within minutes on a busy machine.
   */
  command(work: string, { gates = [], weight, memoryGib }: Label = {}): string {
    const reserved = memoryGib === undefined ? [] : [{ name: MEMORY, limit: memoryGib }];
    return [
      `tell() { read -r up rest < /proc/uptime; echo "$1 $QUEUECTL_JOB_ID $$ $up $QUEUECTL_WORKER_ID $2" >> "${this.path}"; }`,
      `look() { stat=; { read -r stat < "/proc/$1/stat"; } 2>/dev/null; set -- \${stat##*) }; state=$1; born=\${20}; }`,
      `me="${this.holders}/$QUEUECTL_JOB_ID"`,
      'if [ -f "$me" ] && read -r other since < "$me" && look "$other" && [ "$born" = "$since" ]; then',
      '  case $state in Z | X) ;; *) tell overlap "$stat" ;; esac',
      'fi',
      'look $$',
      'echo "$$ $born" > "$me"',
      ...(gates.length > 0 ? [IS_ALIVE, PASS, ...gates.map((gate) => this.passing(gate))] : []),
      `tell start "$QUEUECTL_QUEUE ${[weight ?? 1, ...[...gates, ...reserved].map(({ name, limit }) => `${name}=${limit}`)].join(' ')}"`,
      `(${work}); code=$?`,
      'tell end $code',
      'exit $code',
    ].join('\n');
  }

  private passing({ name, limit }: Gate): string {
    const folder = join(this.holders, `behind ${name}`);
    mkdirSync(folder, { recursive: true });
    return `pass "${folder}" ${limit} "${name}"`;
  }

  /** Everything written from now on has at least this offset. */
  get size(): number {
    return statSync(this.path).size;
  }

  entries(): Entry[] {
    const bootedAt = Date.now() - hostClockMs();
    const lines = readFileSync(this.path, 'latin1').split('\n');
    let end = 0;
    return lines.slice(0, -1).map((line) => {
      const offset = end;
      end += line.length + 1;
      const [kind, jobId = '', pid, up, workerId = '', ...note] = line.split(' ');
      const at = Math.round(bootedAt + Number(up) * 1000);
      const own = { kind: kind as Entry['kind'], jobId, pid: Number(pid) };
      return { ...own, at, workerId, offset, note: note.join(' ') };
    });
  }
}

const IS_ALIVE = 'is_alive() { tr "\\0" "\\n" 2>/dev/null < "/proc/$1/environ" | grep -qx "QUEUECTL_JOB_ID=$2"; }';

/** Each job registers first and counts then: of two simultaneous ones, at least one sees the other. */
const PASS = [
  'pass() {',
  '  echo $$ > "$1/$QUEUECTL_JOB_ID"; count=0',
  '  for file in "$1"/*; do',
  '    holder=; read -r holder < "$file"',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
  '    [ -n "$holder" ] && [ -d "/proc/$holder" ] && is_alive "$holder" "${file##*/}" && count=$((count + 1))',
  '  done',
  '  [ "$count" -le "$2" ] || tell crowded "$3 $count of $2"',
  '}',
].join('\n');
