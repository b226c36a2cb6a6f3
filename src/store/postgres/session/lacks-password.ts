// Whether a job can connect to the server without our password. A job gets the address without the password, and may find the
// password in its variables, a service file or a password file.

import { passwordFromFile } from './passfile.ts';
import { addressWithoutPassword, parseTarget, type Target } from './target.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const hasPassword = (target: Target): boolean => target.password !== null || passwordFromFile(target) !== null;

/** The returned function checks the variables of a job. Results are cached by environment, because many jobs share one. */
export function lacksPassword(address: string, own: Target): (environment: Environment) => boolean {
  const forJobs = addressWithoutPassword(address, own);
  const known = new WeakMap<Environment, boolean>();
  const check = (environment: Environment): boolean =>
    hasPassword(own) && !hasPassword(parseTarget(forJobs, environment));
  return (environment) => {
    const answer = known.get(environment) ?? check(environment);
    known.set(environment, answer);
    return answer;
  };
}
