// A service: a worker or server that the system starts, restarts and stops. The first line of its service file holds
// its record, so that these files are the only record of installed services.

export const ROLES = ['worker', 'server'] as const;
export type Role = (typeof ROLES)[number];

export interface ServiceRecord {
  readonly role: Role;
  /** Null for the unnamed service of a role. */
  readonly name: string | null;
  readonly count: number;
  /** Queue location, without a password. */
  readonly place: string;
  /** Null for all queues. */
  readonly queues: readonly string[] | null;
  readonly url: string | null;
  /** Log file, if the system keeps no log. */
  readonly log: string;
}

export interface Service extends ServiceRecord {
  /** True if started at boot instead of at login. */
  readonly isSystem: boolean;
  /** User of a system service. */
  readonly runAs: string | null;
  /** Program and arguments, with absolute paths. */
  readonly command: readonly string[];
  /** Variables that all users may see. */
  readonly variables: Readonly<Record<string, string>>;
  /** Variables that only the owner may read. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Time for running jobs to finish at a stop; null for unlimited. */
  readonly stopSeconds: number | null;
}

/** Identifier such as 'queuectl-worker-mail'. */
export const idOf = ({ role, name }: Pick<ServiceRecord, 'role' | 'name'>): string =>
  ['queuectl', role, ...(name === null ? [] : [name])].join('-');

/** Command-line form such as 'worker --name mail'. */
export const wordsOf = ({ role, name }: Pick<ServiceRecord, 'role' | 'name'>): string =>
  name === null ? role : `${role} --name ${name}`;

export const isServiceName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name);

const MARK = 'queuectl-service ';

/** One line without characters that could end a comment in a unit file or XML. */
export function recordLine({ role, name, count, place, queues, url, log }: ServiceRecord): string {
  const json = JSON.stringify({ role, name, count, place, queues, url, log });
  return MARK + json.replace(/[-<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}

/** Returns null if queuectl has not written this file. */
export function recordIn(text: string): ServiceRecord | null {
  const [, json] = new RegExp(`^(?:# |<!-- )${MARK}(\\{[^\n]*\\})`, 'm').exec(text) ?? [];
  try {
    return json === undefined ? null : (JSON.parse(json) as ServiceRecord);
  } catch {
    return null;
  }
}
