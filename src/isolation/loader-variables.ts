// Variables that the system obeys while it loads a program, such as LD_PRELOAD, are for the command of a job. The programs that
// confine it must not have them: they run with more than the job may have, as root or outside of its sandbox.

import type { Confinement } from '../job/isolation/isolation.ts';
import type { ConfinedStart } from './isolate.ts';
import { Refusal } from './refusal.ts';

const OBEYED = /^(LD_|DYLD_|MALLOC_|GLIBC_TUNABLES$|GCONV_PATH$|LOCPATH$|NLSPATH$)/;

/** Sets them for the command alone, which is the last so many words of the whole. */
export function forCommandAlone(
  start: ConfinedStart,
  { secrets = [] }: Confinement,
  words: number,
): ConfinedStart {
  const { command, inherited, own } = start;
  const found = Object.entries({ ...inherited, ...own }).filter(([name]) => OBEYED.test(name));
  if (found.length === 0 || command.length === words) return start;
  const secret = secrets.find(({ variable }) => OBEYED.test(variable));
  if (secret)
    throw new Refusal(`the secret '${secret.name}' cannot be passed in the variable ${secret.variable}`);
  const setting = found.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  const at = command.length - words;
  return {
    ...start,
    command: [...command.slice(0, at), ENV, ...setting, ...command.slice(at)],
    inherited: without(inherited),
    own: without(own),
  };
}

/** Where every system has it, and every sandbox shows it. */
const ENV = '/usr/bin/env';

const without = <T extends Readonly<Record<string, string | undefined>>>(variables: T): T =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !OBEYED.test(name))) as T;
