// Sandbox profiles as data: four built-in ones, and those from the setting `sandbox_profiles`. A missing field has its
// value from `strict`, so that a forgotten field never grants access. Pure.

import { nearest } from '../../text/nearest.ts';
import { isValidId } from '../id.ts';

export interface SandboxProfile {
  /** Paths, or placeholders from PATH_WORDS that stand for several paths. */
  readonly writable: readonly string[];
  readonly readonly: readonly string[];
  /** Paths to replace with empty directories and unreadable files. */
  readonly hidden: readonly string[];
  readonly network: boolean;
  readonly tmp: 'private' | 'shared';
  /** Inherited variables to keep, by name or as `PREFIX*`. The job's own variables are always kept. */
  readonly env: 'all' | readonly string[];
}

/** Placeholder for files in /etc that only root can read. */
export const ROOT_ONLY = '{root-only}';

/** {cwd} is the job's working directory; {system} stands for SYSTEM_PATHS. */
const PATH_WORDS = ['{cwd}', '{system}', ROOT_ONLY];

/** Locations of programs and libraries on common systems. */
export const SYSTEM_PATHS: readonly string[] = [
  '/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt', '/nix/store', '/gnu/store',
  '/run/current-system', '/run/systemd/resolve',
]; // biome-ignore format: a list of words

const OWN_SECRETS = [
  '~/.ssh', '~/.gnupg', '~/.aws', '~/.azure', '~/.config/gcloud', '~/.config/gh', '~/.config/queuectl', '~/.docker', '~/.kube',
  '~/.netrc', '~/.npmrc', '~/.pgpass', '~/.git-credentials', '~/.password-store', '~/.local/share/keyrings', '~/.mozilla',
  '~/.config/chromium', '~/.config/google-chrome', '~/.bash_history', '~/.zsh_history',
]; // biome-ignore format: a list of words

const strict: SandboxProfile = {
  writable: ['{cwd}'],
  readonly: ['{system}'],
  hidden: [ROOT_ONLY],
  network: false,
  tmp: 'private',
  env: ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'LC_*', 'TERM', 'TZ'],
};

/** /run is hidden because it contains sockets, which work even through a read-only mount. */
const readonly: SandboxProfile = {
  writable: [],
  readonly: ['/'],
  hidden: [ROOT_ONLY, ...OWN_SECRETS, '/run'],
  network: false,
  tmp: 'private',
  env: 'all',
};

const BUILT_IN: Readonly<Record<string, SandboxProfile>> = {
  strict,
  network: { ...strict, network: true },
  readonly,
};

/** Name that disables the sandbox. */
export const NO_SANDBOX = 'none';

export const BUILT_IN_SANDBOXES: readonly string[] = [...Object.keys(BUILT_IN), NO_SANDBOX];

export type Profiles = Readonly<Record<string, SandboxProfile>>;

/** One sentence about invalid profiles in the setting. */
export class ProfileProblem extends Error {}

/** Returns all profiles. `text` is the setting; throws ProfileProblem if it is unreadable. */
export const sandboxProfiles = (text: string | null): Profiles => ({ ...BUILT_IN, ...namedIn(text) });

function namedIn(text: string | null): Profiles {
  if (text === null) return {};
  const given = objectOf(parsed(text), 'sandbox_profiles');
  return Object.fromEntries(Object.entries(given).map(([name, raw]) => [checkedName(name), profileOf(name, raw)]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProfileProblem(`sandbox_profiles is not valid JSON: ${(error as Error).message}`);
  }
}

function checkedName(name: string): string {
  if (!isValidId(name)) throw new ProfileProblem(`invalid sandbox name ${JSON.stringify(name)}`);
  if (BUILT_IN_SANDBOXES.includes(name)) throw new ProfileProblem(`sandbox '${name}' is built in; choose another name`);
  return name;
}

type Reader<T> = (value: unknown, what: string) => T;

const FIELDS: { readonly [K in keyof SandboxProfile]: Reader<SandboxProfile[K]> } = {
  writable: paths,
  readonly: paths,
  hidden: paths,
  network: (value, what) => (typeof value === 'boolean' ? value : wrong(what, 'true or false', value)),
  tmp: (value, what) =>
    value === 'private' || value === 'shared' ? value : wrong(what, "'private' or 'shared'", value),
  env: (value, what) => (value === 'all' ? value : listOf(value, what, isVariable, "'all' or a list of names")),
};
const FIELD_NAMES = Object.keys(FIELDS) as (keyof SandboxProfile)[];

function profileOf(name: string, raw: unknown): SandboxProfile {
  const given = objectOf(raw, `profile '${name}'`);
  const unknown = Object.keys(given).find((field) => !(FIELD_NAMES as string[]).includes(field));
  if (unknown !== undefined) throw new ProfileProblem(unknownField(name, unknown));
  const said = FIELD_NAMES.filter((field) => given[field] !== undefined).map((field) => [
    field,
    FIELDS[field](given[field], `'${field}' in profile '${name}'`),
  ]);
  return { ...strict, ...Object.fromEntries(said) };
}

function unknownField(name: string, field: string): string {
  const near = nearest(field, FIELD_NAMES);
  const rest = near ? `did you mean '${near}'?` : `use ${FIELD_NAMES.join(', ')}`;
  return `profile '${name}' has an unknown field '${field}': ${rest}`;
}

function paths(value: unknown, what: string): readonly string[] {
  return listOf(value, what, isPath, `a list of absolute paths, ~/… or ${PATH_WORDS.join(' and ')}`);
}

function listOf(value: unknown, what: string, isOne: (text: string) => boolean, expected: string): readonly string[] {
  if (!Array.isArray(value)) return wrong(what, expected, value);
  for (const entry of value) if (typeof entry !== 'string' || !isOne(entry)) return wrong(what, expected, entry);
  return value as string[];
}

const isPath = (text: string): boolean =>
  PATH_WORDS.includes(text) || (/^(\/|~$|~\/)/.test(text) && !text.includes('\0') && !text.split('/').includes('..'));

const isVariable = (text: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*\*?$/.test(text);

function objectOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  return wrong(what, 'an object', value);
}

function wrong(what: string, expected: string, value: unknown): never {
  throw new ProfileProblem(`${what} must be ${expected}, not ${JSON.stringify(value)}`);
}
