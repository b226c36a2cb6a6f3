// Whether a job could get into the server by itself: it is told the address without its password, and may find that where
// every program looks for it: in its variables, a service file or a password file.

import { passwordFromFile } from './passfile.ts';
import { addressWithoutPassword, parseTarget, type Target } from './target.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const hasPassword = (target: Target): boolean =>
  target.password !== null || passwordFromFile(target) !== null;

/** Answers for the variables of a job; looked into once for each environment, as many jobs share one. */
export function lacksPassword(address: string, own: Target): (environment: Environment) => boolean {
  const forJobs = addressWithoutPassword(address, own);
  const known = new WeakMap<Environment, boolean>();
  const lookInto = (environment: Environment): boolean =>
    hasPassword(own) && !hasPassword(parseTarget(forJobs, environment));
  return (environment) => {
    const answer = known.get(environment) ?? lookInto(environment);
    known.set(environment, answer);
    return answer;
  };
}
