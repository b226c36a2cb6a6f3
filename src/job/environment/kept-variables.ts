// What a job is given of the variables of others: of its worker's, and what a sandbox leaves of those it inherits. The answer is
// the same object for the same question, as the starter prepares each environment once. Pure.

type Variables = Readonly<Record<string, string | undefined>>;

const answers = new WeakMap<Variables, Map<string, Variables>>();

/** Those of the list, by name or by `PREFIX*`. */
export function keptVariables(variables: Variables, names: 'all' | readonly string[]): Variables {
  if (names === 'all') return variables;
  return remembered(variables, names.join(' '), (name) => names.some((one) => isNamed(name, one)));
}

/** Of the worker's: those that the setting names, or all of them but the password of the queue's server. */
export function variablesOfWorker(
  variables: Variables,
  setting: string | null,
  isOnServer: boolean,
): Variables {
  if (setting !== null) return keptVariables(variables, setting.split(/[\s,]+/).filter(Boolean));
  if (!isOnServer || variables[PASSWORD] === undefined) return variables;
  return remembered(variables, '!', (name) => name !== PASSWORD);
}

const PASSWORD = 'PGPASSWORD';

function remembered(variables: Variables, key: string, isKept: (name: string) => boolean): Variables {
  const known = answers.get(variables) ?? new Map<string, Variables>();
  answers.set(variables, known);
  const found =
    known.get(key) ?? Object.fromEntries(Object.entries(variables).filter(([name]) => isKept(name)));
  known.set(key, found);
  return found;
}

const isNamed = (name: string, by: string): boolean =>
  by.endsWith('*') ? name.startsWith(by.slice(0, -1)) : name === by;
