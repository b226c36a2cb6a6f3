// What the jobs themselves say: each writes a line when it starts and one when it ends, outside of the queue. Lines are
// appended on one host, so their order is the order in which things happened.
// A job also looks whether another attempt of itself is alive at that moment, and whether more jobs are alive behind one of
// its gates than may be: neither must ever be.

import { appendFileSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hostClockMs } from '../src/process/tree/host-clock.ts';

export interface Entry {
  readonly kind: 'start' | 'end' | 'overlap' | 'crowded';
  readonly jobId: string;
  readonly pid: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly workerId: string;
  /** Where its line begins: what is smaller came first. */
  readonly offset: number;
  /**
   * start: the queue, the slots the job takes, and its gates, each as NAME=LIMIT. end: the exit code. overlap: the line in
   * /proc about the other attempt's process. crowded: the gate, and how many of how many.
   */
  readonly note: string;
}

/** Something behind which only so many jobs may run at once: a key, a group, a queue, a schedule. */
export interface Gate {
  readonly name: string;
  readonly limit: number;
}

/** What is to be held of a job while it runs. */
export interface Label {
  readonly gates?: readonly Gate[];
  /** How many slots it takes. */
  readonly weight?: number;
  /** The memory it reserves, in GiB. */
  readonly memoryGib?: number;
}

/** A reservation is written among the gates, under this name. */
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
   * A shell command that keeps the ledger around `work`. All it asks is read from /proc, which starts no program. A process
   * is known by its pid and the tick at which it started: pids come round again, within minutes on a busy machine.
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

  /** Whatever is written from now on has an offset of at least this. */
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

const IS_ALIVE =
  'is_alive() { tr "\\0" "\\n" 2>/dev/null < "/proc/$1/environ" | grep -qx "QUEUECTL_JOB_ID=$2"; }';

/** Each signs first and counts then: of two that come at once, at least one sees the other. */
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
