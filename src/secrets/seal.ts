// Encrypts a secret with AES-256-GCM, a random nonce, and its name as associated data, so that secrets cannot be
// swapped. The text includes the ID of its key, to tell a wrong key from a modified text.

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = '1';

/** Identifies a key without revealing it. */
export const keyId = (key: Buffer): string =>
  createHash('sha256').update('queuectl secret key').update(key).digest('hex').slice(0, 16);

/** Returns the ID of the key that encrypted the text. */
export const sealedWith = (sealed: string): string => sealed.split(':')[1] ?? '';

export function seal(key: Buffer, name: string, value: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name));
  const body = Buffer.concat([nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()]);
  return [VERSION, keyId(key), body.toString('base64')].join(':');
}

/** Returns null if the text was modified or belongs to another name. */
export function unseal(key: Buffer, name: string, sealed: string): Buffer | null {
  const [version, , text = ''] = sealed.split(':');
  const body = Buffer.from(text, 'base64');
  if (version !== VERSION || body.length < NONCE_BYTES + TAG_BYTES) return null;
  const end = body.length - TAG_BYTES;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(name))
      .setAuthTag(body.subarray(end));
    return Buffer.concat([decipher.update(body.subarray(NONCE_BYTES, end)), decipher.final()]);
  } catch {
    return null;
  }
}
