// What a service is: a worker or a server that the system starts, keeps and stops. Its first line in whatever file the system
// has of it says what it is, so that the files themselves are the only record of what is installed.

export const ROLES = ['worker', 'server'] as const;
export type Role = (typeof ROLES)[number];

/** What its file says of it. */
export interface ServiceRecord {
  readonly role: Role;
  /** null: the only one of its role, or the first. */
  readonly name: string | null;
  /** How many processes. */
  readonly count: number;
  /** The queue that it serves, without a password. */
  readonly place: string;
  /** null: all of them. */
  readonly queues: readonly string[] | null;
  /** Where a server is. */
  readonly url: string | null;
  /** What it writes, where the system keeps no log. */
  readonly log: string;
}

export interface Service extends ServiceRecord {
  /** Started with the machine, not with its user. */
  readonly isSystem: boolean;
  /** Whom a service of the system runs as. */
  readonly runAs: string | null;
  /** The program and its arguments, by absolute paths. */
  readonly command: readonly string[];
  /** What everybody may see of its environment. */
  readonly variables: Readonly<Record<string, string>>;
  /** What only its owner may read. */
  readonly secrets: Readonly<Record<string, string>>;
  /** How long running jobs may take to finish when it is stopped; null: as long as they want. */
  readonly stopSeconds: number | null;
}

/** The word that stands for it everywhere: 'queuectl-worker-mail'. */
export const idOf = ({ role, name }: Pick<ServiceRecord, 'role' | 'name'>): string =>
  ['queuectl', role, ...(name === null ? [] : [name])].join('-');

/** As people type it: 'worker --name mail'. */
export const wordsOf = ({ role, name }: Pick<ServiceRecord, 'role' | 'name'>): string =>
  name === null ? role : `${role} --name ${name}`;

export const isServiceName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name);

const MARK = 'queuectl-service ';

/** One line without anything that could end a comment, in a unit or in XML. */
export function recordLine({ role, name, count, place, queues, url, log }: ServiceRecord): string {
  const json = JSON.stringify({ role, name, count, place, queues, url, log });
  return MARK + json.replace(/[-<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}

/** null: queuectl has not written this file. */
export function recordIn(text: string): ServiceRecord | null {
  const [, json] = new RegExp(`^(?:# |<!-- )${MARK}(\\{.*\\})`, 'm').exec(text) ?? [];
  try {
    return json === undefined ? null : (JSON.parse(json) as ServiceRecord);
  } catch {
    return null;
  }
}
