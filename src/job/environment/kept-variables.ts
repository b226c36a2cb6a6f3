// Selects the variables that a job gets from its worker, and those that a sandbox keeps of the inherited ones. Equal
// arguments return the same object, because the starter prepares each environment once. Pure.

type Variables = Readonly<Record<string, string | undefined>>;

const answers = new WeakMap<Variables, Map<string, Variables>>();

/** Keeps the listed variables, given by name or as `PREFIX*`. */
export function keptVariables(variables: Variables, names: 'all' | readonly string[]): Variables {
  if (names === 'all') return variables;
  return remembered(variables, names.join(' '), (name) => names.some((one) => isNamed(name, one)));
}

/** Keeps the worker variables that the setting names; by default, all except the database password. */
export function variablesOfWorker(variables: Variables, setting: string | null, isOnServer: boolean): Variables {
  if (setting !== null) return keptVariables(variables, setting.split(/[\s,]+/).filter(Boolean));
  if (!isOnServer || variables[PASSWORD] === undefined) return variables;
  return remembered(variables, '!', (name) => name !== PASSWORD);
}

const PASSWORD = 'PGPASSWORD';

function remembered(variables: Variables, key: string, isKept: (name: string) => boolean): Variables {
  const known = answers.get(variables) ?? new Map<string, Variables>();
  answers.set(variables, known);
  const found = known.get(key) ?? Object.fromEntries(Object.entries(variables).filter(([name]) => isKept(name)));
  known.set(key, found);
  return found;
}

const isNamed = (name: string, by: string): boolean =>
  by.endsWith('*') ? name.startsWith(by.slice(0, -1)) : name === by;
