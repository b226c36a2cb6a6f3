// The secrets of a queue: set, list by name, delete, and decrypt for a job. Values are passed only to jobs. Loaded on
// demand.

import { QueueError } from '../errors/errors.ts';
import type { SecretUse } from '../job/isolation/isolation.ts';
import { isSecretName } from '../job/input/secret-input.ts';
import type { Place } from '../store/location.ts';
import type { NamedText, Store } from '../store/store.ts';
import { nearest } from '../text/nearest.ts';
import { COPY, keyPath, makeKey, readKey, unusable } from './key-file.ts';
import { keyId, seal, sealedWith, unseal } from './seal.ts';

export const LARGEST_SECRET_BYTES = 65_536;

/** Public properties of a secret. */
export interface SecretEntry {
  readonly name: string;
  readonly createdAt: number;
  readonly createdBy: string;
  /** True if this host's key can decrypt it. */
  readonly isReadable: boolean;
}

export class QueueSecrets {
  private readonly store: Store;
  private readonly path: string;

  constructor(store: Store, place: Place, environment: NodeJS.ProcessEnv) {
    this.store = store;
    this.path = keyPath(place, environment);
  }

  async all(): Promise<SecretEntry[]> {
    const stored = await this.store.texts.secrets.all();
    const key = stored.length === 0 ? null : readKey(this.path);
    return stored.map(({ name, text, createdAt, createdBy }) => ({
      name,
      createdAt,
      createdBy,
      isReadable: key !== null && sealedWith(text) === keyId(key),
    }));
  }

  /**
   * Returns the number of secrets, and the names of those that this host's key cannot decrypt. Throws
   * secret_key_unusable.
   */
  async examine(): Promise<{ readonly all: number; readonly unreadable: readonly string[] }> {
    const stored = await this.store.texts.secrets.all();
    const key = readKey(this.path); // also without secrets: an exposed key must not be used for the first one
    if (key === null && stored.length > 0) return unusable(this.path, 'file not found', COPY);
    const closed = stored.filter(({ name, text }) => key === null || unseal(key, name, text) === null);
    return { all: stored.length, unreadable: closed.map(({ name }) => name) };
  }

  /** Replaces an existing secret. Throws invalid_secret or secret_key_unusable. */
  async set(name: string, value: Buffer, createdBy: string): Promise<SecretEntry> {
    checkName(name);
    if (value.length === 0) throw invalid('the secret is empty', 'pass the value on stdin');
    if (value.length > LARGEST_SECRET_BYTES)
      throw invalid(
        `the secret is larger than the limit of ${LARGEST_SECRET_BYTES} bytes`,
        'keep the value in a file instead',
      );
    const text = seal(await this.keyToSealWith(), name, value);
    const createdAt = this.store.now();
    await this.store.texts.secrets.save({ name, text, createdAt, createdBy }, true);
    return { name, createdAt, createdBy, isReadable: true };
  }

  /** Jobs that need it fail at their start from now on. Throws secret_not_found. */
  async remove(name: string): Promise<void> {
    if (!(await this.store.texts.secrets.remove(name))) throw await notFound(this.store, name);
  }

  /** Decrypts the secret for a job. Throws secret_not_found or secret_key_unusable. */
  async valueOf(name: string): Promise<Buffer> {
    const { text } = await stored(this.store, name);
    const key = readKey(this.path);
    if (key === null) return unusable(this.path, 'file not found', COPY);
    if (sealedWith(text) !== keyId(key))
      return unusable(this.path, `secret '${name}' was encrypted with another key`, COPY);
    return unseal(key, name, text) ?? unusable(this.path, `secret '${name}' was modified after encryption`, SET_AGAIN);
  }

  /**
   * Copies all secrets and replaces those of the same name. A target without a key gets this one; a target with another
   * key gets secrets encrypted with that key. Secrets that this host cannot decrypt are copied unchanged. Returns the
   * number of secrets.
   */
  async copyTo(target: QueueSecrets): Promise<number> {
    const secrets = await this.store.texts.secrets.all();
    if (secrets.length === 0) return 0;
    const key = readKey(this.path);
    const other = readKey(target.path) ?? (key && makeKey(target.path, key));
    for (const secret of secrets) {
      const value = key && unseal(key, secret.name, secret.text);
      const isToReseal = value && key && other && keyId(key) !== keyId(other);
      const text = isToReseal ? seal(other, secret.name, value) : secret.text;
      await target.store.texts.secrets.save({ ...secret, text }, true);
    }
    return secrets.length;
  }

  /** Rejects a new key if there are secrets encrypted with another one. */
  private async keyToSealWith(): Promise<Buffer> {
    const key = readKey(this.path);
    const [first] = await this.store.texts.secrets.all();
    if (key === null && first === undefined) return makeKey(this.path);
    if (key === null) return unusable(this.path, 'file not found, but existing secrets need it', COPY);
    if (first !== undefined && sealedWith(first.text) !== keyId(key))
      return unusable(this.path, 'the existing secrets were encrypted with another key', COPY);
    return key;
  }
}

/** Throws secret_not_found unless all of them exist. */
export async function expectSecrets(store: Store, uses: readonly SecretUse[]): Promise<void> {
  for (const name of new Set(uses.map((use) => use.name))) await stored(store, name);
}

async function stored(store: Store, name: string): Promise<NamedText> {
  const found = await store.texts.secrets.get(name);
  if (found === null) throw await notFound(store, name);
  return found;
}

async function notFound(store: Store, name: string): Promise<QueueError> {
  const known = (await store.texts.secrets.all()).map((secret) => secret.name);
  const near = nearest(name, known);
  const hint = near ? `did you mean '${near}'?` : `set the secret: queuectl secret set ${name}`;
  return new QueueError('secret_not_found', { name, hint });
}

const SET_AGAIN = 'the database was modified outside queuectl; set the secret again: queuectl secret set NAME';

function checkName(name: string): void {
  if (!isSecretName(name))
    throw invalid(
      `invalid secret name '${name.slice(0, 40)}'`,
      'use letters, digits and _, like a variable name, for example DB_PASSWORD',
    );
}

const invalid = (problem: string, hint: string): QueueError => new QueueError('invalid_secret', { problem, hint });
