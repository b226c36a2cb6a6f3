// Variables of jobs and services, given with -e.

import { usageError } from '../../errors/errors.ts';

/** 'K=V' sets a variable; 'K' copies it. */
export function variables(given: readonly string[], environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    given.map((entry) => {
      const at = entry.indexOf('=');
      if (at >= 0) return [entry.slice(0, at), entry.slice(at + 1)];
      const value = environment[entry];
      if (value !== undefined) return [entry, value];
      throw usageError(`-e ${entry} copies the variable ${entry}, which is unset`, `pass a value: -e ${entry}=VALUE`);
    }),
  );
}
