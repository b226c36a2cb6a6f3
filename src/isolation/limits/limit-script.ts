// The wrapper that limits a command: a POSIX shell script that joins the cgroup, lowers process limits, and becomes the
// command. Limits are never raised: a stricter system limit stays.

import type { ResourceLimits } from '../../job/isolation/resource-limits.ts';

export interface ScriptLimits extends Pick<ResourceLimits, 'openFiles' | 'fileBytes' | 'nice' | 'ioClass'> {
  /** Per process. */
  readonly cpuSeconds?: number;
  /** Total of the user that the command runs as. */
  readonly userProcesses?: number;
  /** Private writable memory per process. */
  readonly dataBytes?: number;
  /** The cgroup file that the shell writes its PID to. */
  readonly entrance?: string;
}

/** Units of sh for file sizes and memory. */
const [FILE_BLOCK, DATA_BLOCK] = [512, 1024] as const;

/** The last line of output reports a failed start. */
const SCRIPT = `
fail() { echo "queuectl: could not $1" >&2; exit 126; }
set_limit() {
  ulimit "$1" "$2" 2>/dev/null && return
  is=$(ulimit -H "$1" 2>/dev/null) && [ -n "$is" ] && [ "$is" != unlimited ] && [ "$is" -le "$2" ]
}
while [ "$1" != -- ]; do
  case $1 in
    enter) echo $$ 2>/dev/null >"$2" || fail 'enter its control group' ;;
    cpu) ulimit -H -t $(($2 + 5)) 2>/dev/null; ulimit -S -t "$2" 2>/dev/null || set_limit -t "$2" || fail 'limit its CPU time' ;;
    processes) set_limit -u "$2" || set_limit -p "$2" || fail 'limit its processes' ;;
    data) set_limit -d "$2" ;;
    files) set_limit -n "$2" || fail 'limit its open files' ;;
    size) set_limit -f "$2" || fail 'limit the size of its files' ;;
  esac
  shift 2
done
shift
exec "$@"`;

/** Returns the command with its wrapper. */
export function limitedCommand(command: readonly string[], limits: ScriptLimits): readonly string[] {
  const { cpuSeconds, userProcesses, dataBytes, openFiles, fileBytes, entrance } = limits;
  const said: readonly (readonly [string, string | number | undefined])[] = [
    ['enter', entrance],
    ['cpu', cpuSeconds === undefined ? undefined : Math.ceil(cpuSeconds)],
    ['processes', userProcesses],
    ['data', dataBytes === undefined ? undefined : Math.ceil(dataBytes / DATA_BLOCK)],
    ['files', openFiles],
    ['size', fileBytes === undefined ? undefined : Math.floor(fileBytes / FILE_BLOCK)],
  ];
  const orders = said.flatMap(([order, value]) => (value === undefined ? [] : [order, String(value)]));
  const inner = [...politeness(limits), ...command];
  if (orders.length === 0) return inner;
  return ['/bin/sh', '-c', SCRIPT, 'queuectl', ...orders, '--', ...inner];
}

const IO_CLASS_NUMBERS = { 'best-effort': '2', idle: '3' } as const;

const politeness = ({ nice, ioClass }: ScriptLimits): string[] => [
  ...(nice === undefined ? [] : ['nice', '-n', String(nice)]),
  ...(ioClass === undefined ? [] : ['ionice', '-c', IO_CLASS_NUMBERS[ioClass]]),
];
