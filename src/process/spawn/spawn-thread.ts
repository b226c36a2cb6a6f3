// The thread that starts commands by calling posix_spawn directly. Its source is passed as text, so that it is never
// loaded from the files of a later build. The function must be self-contained and may use only Node's modules and its
// workerData.

import type { Direct } from '../shell/direct-start.ts';
import type { Start } from './start.ts';

/** A start that refers to its inherited variables by key. */
export type Ticketed = Omit<Start, 'inherited' | 'text'> & {
  readonly ticket: number;
  readonly inherited: number;
  /** Tried first, if any. */
  readonly direct: Direct | null;
};
export type StartRequest =
  | Ticketed
  | { readonly prepare: number; readonly variables: Start['inherited'] }
  | { readonly forget: number };

export interface StartReply {
  readonly ticket: number;
  /** errno, or 0 for success. */
  readonly error: number;
  readonly pid: number;
  /** True if the program started without the shell. */
  readonly isDirect: boolean;
}

interface Inherited {
  readonly keys: readonly string[];
  readonly path: string | undefined;
  /** A pointer for each key, followed by the strings. */
  readonly block: Buffer;
}

/** C functions that the thread calls, in the format of node:ffi. Passed as its workerData. */
export const THREAD_CALLS = {
  posix_spawn: { arguments: ['buffer', 'string', 'buffer', 'buffer', 'buffer', 'buffer'], return: 'int32' },
  posix_spawn_file_actions_init: { arguments: ['buffer'], return: 'int32' },
  posix_spawn_file_actions_destroy: { arguments: ['buffer'], return: 'int32' },
  posix_spawn_file_actions_adddup2: { arguments: ['buffer', 'int32', 'int32'], return: 'int32' },
  posix_spawn_file_actions_addchdir_np: { arguments: ['buffer', 'string'], return: 'int32' },
  posix_spawnattr_init: { arguments: ['buffer'], return: 'int32' },
  posix_spawnattr_setflags: { arguments: ['buffer', 'int16'], return: 'int32' },
  posix_spawnattr_setsigdefault: { arguments: ['buffer', 'buffer'], return: 'int32' },
  posix_spawnattr_setsigmask: { arguments: ['buffer', 'buffer'], return: 'int32' },
  access: { arguments: ['string', 'int32'], return: 'int32' },
  clock_gettime: { arguments: ['int32', 'buffer'], return: 'int32' },
} as const;

export function spawnThread(): void {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const { openSync } = process.getBuiltinModule('node:fs');
  const ffi = process.getBuiltinModule('node:ffi');
  const { functions: c } = ffi.dlopen(null, workerData as typeof THREAD_CALLS);
  const [ENOENT, ENOEXEC, ENOMEM, EACCES, ENOTDIR, ETIMEDOUT] = [2, 8, 12, 13, 20, 110] as const;
  const [SETSIGDEF, SETSIGMASK, SETSID] = [0x04, 0x08, 0x80] as const;
  /** Larger than the opaque structures of any C library; glibc's largest has 336 bytes. */
  const ROOMY = 1024;
  const SIGNAL_SET = 128;
  const POINTER = 8;
  const CLOCK_BOOTTIME = 7;
  const EXISTS = 0;

  const nothing = openSync('/dev/null', 'r');
  const attributes = ownSession();
  const actions = Buffer.alloc(ROOMY);
  const pid = Buffer.alloc(4);
  const time = Buffer.alloc(16);

  let isDirect = false;
  const prepared = new Map<number, Inherited>();
  const NOTHING: Inherited = { keys: [], path: undefined, block: Buffer.alloc(0) };

  parentPort?.on('message', (request: StartRequest) => {
    if ('prepare' in request) {
      prepared.set(request.prepare, prepare(request.variables));
      return;
    }
    if ('forget' in request) {
      prepared.delete(request.forget);
      return;
    }
    isDirect = false;
    const error = start(request);
    const reply: StartReply = { ticket: request.ticket, error, pid: error === 0 ? pid.readInt32LE() : 0, isDirect };
    parentPort.postMessage(reply);
  });

  parentPort?.postMessage('ready');

  /** New session, with no signals ignored or blocked, whatever Node has set. */
  function ownSession(): Buffer {
    const made = Buffer.alloc(ROOMY);
    c.posix_spawnattr_init(made);
    c.posix_spawnattr_setsigdefault(made, Buffer.alloc(SIGNAL_SET, 0xff));
    c.posix_spawnattr_setsigmask(made, Buffer.alloc(SIGNAL_SET));
    c.posix_spawnattr_setflags(made, SETSID | SETSIGDEF | SETSIGMASK);
    return made;
  }

  function start(request: Ticketed): number {
    if (c.posix_spawn_file_actions_init(actions) !== 0) return ENOMEM;
    try {
      for (const [from, to] of [
        [request.input ?? nothing, 0] as const,
        [request.outputs[0], 1] as const,
        [request.outputs[1], 2] as const,
        ...(request.status === undefined ? [] : [[request.status, 3] as const]),
      ])
        if (c.posix_spawn_file_actions_adddup2(actions, from, to) !== 0) return ENOMEM;
      if (request.cwd !== null && c.posix_spawn_file_actions_addchdir_np(actions, request.cwd) !== 0) return ENOMEM;
      return firstThatStarts(request);
    } finally {
      c.posix_spawn_file_actions_destroy(actions);
    }
  }

  /** Searches like a shell: a file that is not executable gives a more useful error than a missing one. */
  function firstThatStarts(request: Ticketed): number {
    const inherited = prepared.get(request.inherited) ?? NOTHING;
    const env = environment(request.own, inherited);
    const argv = [request.program, ...request.args];
    if (hostClockMs() > request.notAfterMs) return ETIMEDOUT;
    isDirect = request.direct !== null && startsDirectly(request.direct, request, inherited);
    if (isDirect) return 0;
    let result: number = ENOENT;
    for (const path of candidates(request.program, request.own.PATH ?? inherited.path)) {
      const error = execute(path, argv, env);
      if (error !== ENOENT && error !== ENOTDIR && error !== EACCES) return error;
      if (result !== EACCES) result = error;
    }
    return result;
  }

  /** Only the first file of this name is tried. If it cannot start, the shell finds out why. */
  function startsDirectly(
    { words, variables, namesProgram }: Direct,
    { own }: Ticketed,
    inherited: Inherited,
  ): boolean {
    const path = firstFile(words[0] ?? '', own.PATH ?? inherited.path ?? '');
    if (path === undefined) return false;
    const added = namesProgram ? { ...own, ...variables, _: path } : { ...own, ...variables };
    const env = environment(added, inherited);
    return c.posix_spawn(pid, path, actions, attributes, strings([...words]), env) === 0;
  }

  function firstFile(program: string, path: string): string | undefined {
    if (program.includes('/')) return program;
    return candidates(program, path).find((file) => c.access(file, EXISTS) === 0);
  }

  /** Copy of host-clock.ts. */
  function hostClockMs(): number {
    c.clock_gettime(CLOCK_BOOTTIME, time);
    return time.readUInt32LE(0) * 1000 + time.readUInt32LE(8) / 1e6;
  }

  /** Encoded once, because many jobs share the same variables. */
  function prepare(variables: Start['inherited']): Inherited {
    const entries = Object.entries(variables).filter(([, value]) => value !== undefined);
    const block = strings(entries.map(([key, value]) => `${key}=${value}`));
    return { keys: entries.map(([key]) => key), path: variables.PATH, block };
  }

  function environment(own: Start['own'], inherited: Inherited): Buffer {
    return strings(
      Object.entries(own).map(([key, value]) => `${key}=${value}`),
      pointersWithout(own, inherited),
    );
  }

  /** Pointers to the inherited variables that are not overridden. */
  function pointersWithout(own: Start['own'], { keys, block }: Inherited): Buffer {
    const pointers = block.subarray(0, keys.length * POINTER);
    if (!keys.some((key) => Object.hasOwn(own, key))) return pointers;
    const kept = keys.flatMap((key, index) => (Object.hasOwn(own, key) ? [] : [index * POINTER]));
    return Buffer.concat(kept.map((at) => pointers.subarray(at, at + POINTER)));
  }

  function candidates(program: string, path = '/usr/local/bin:/bin:/usr/bin'): string[] {
    if (program.includes('/')) return [program];
    const folders = path.split(':');
    return folders.map((folder) => `${folder || '.'}/${program}`);
  }

  function execute(path: string, argv: string[], env: Buffer): number {
    const error = c.posix_spawn(pid, path, actions, attributes, strings(argv), env);
    if (error !== ENOEXEC) return error;
    // A script without a shebang line runs in the shell.
    return c.posix_spawn(pid, '/bin/sh', actions, attributes, strings(['sh', path, ...argv.slice(1)]), env);
  }

  /** Layout: pointers to the strings, pointers to external strings, a null, then the strings. */
  function strings(list: string[], elsewhere: Buffer = Buffer.alloc(0)): Buffer {
    const head = POINTER * (list.length + 1) + elsewhere.length;
    const lengths = list.map((text) => Buffer.byteLength(text) + 1);
    const block = Buffer.alloc(lengths.reduce((sum, length) => sum + length, head));
    const base = ffi.getRawPointer(block);
    let at = head;
    list.forEach((text, index) => {
      block.writeBigUInt64LE(base + BigInt(at), index * POINTER);
      block.write(text, at);
      at += lengths[index] ?? 0;
    });
    block.set(elsewhere, list.length * POINTER);
    return block;
  }
}
