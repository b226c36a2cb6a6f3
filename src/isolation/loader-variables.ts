// Passes loader variables such as LD_PRELOAD to the job's command only. The wrapper programs must not see them, because
// they run with more rights than the job, as root or outside the sandbox.

import type { Confinement } from '../job/isolation/isolation.ts';
import type { ConfinedStart } from './isolate.ts';
import { Rejection } from './rejection.ts';

const OBEYED = /^(LD_|DYLD_|MALLOC_|GLIBC_TUNABLES$|GCONV_PATH$|LOCPATH$|NLSPATH$)/;

/** Sets the variables for the command only, which is the last `words` words of the argument list. */
export function forCommandOnly(start: ConfinedStart, { secrets = [] }: Confinement, words: number): ConfinedStart {
  const { command, inherited, own } = start;
  const found = Object.entries({ ...inherited, ...own }).filter(([name]) => OBEYED.test(name));
  if (found.length === 0 || command.length === words) return start;
  const secret = secrets.find(({ variable }) => OBEYED.test(variable));
  if (secret) throw new Rejection(`the secret '${secret.name}' cannot be passed in the variable ${secret.variable}`);
  const setting = found.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  const at = command.length - words;
  return {
    ...start,
    command: [...command.slice(0, at), ENV, ...setting, ...command.slice(at)],
    inherited: without(inherited),
    own: without(own),
  };
}

/** Exists on every system and in every sandbox. */
const ENV = '/usr/bin/env';

const without = <T extends Readonly<Record<string, string | undefined>>>(variables: T): T =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !OBEYED.test(name))) as T;
