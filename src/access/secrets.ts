// Hashes of tokens and passwords. Generated secrets are long and random, so a plain hash suffices. Passwords use scrypt
// with a random salt, which slows down guessing. Comparisons take constant time.

import { hash, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** OWASP's recommended cost for scrypt: 32 MiB and about 100 ms. */
const COST = { N: 2 ** 15, r: 8, p: 3 } as const;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const SECRET_BYTES = 32;

export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** For generated secrets only. */
export const hashOf = (secret: string): string => hash('sha256', secret, 'hex');

/**
 * Returns a constant-time comparison. Runs for every request, so nothing is hashed; the length of a secret is public.
 */
export function sameAs(wanted: string): (given: string) => boolean {
  const wantedBytes = Buffer.from(wanted);
  return (given) => {
    const bytes = Buffer.from(given);
    return bytes.length === wantedBytes.length && timingSafeEqual(bytes, wantedBytes);
  };
}

/** Format scrypt$N$r$p$salt$key. It includes the cost, which can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

const HASH = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]{43})$/;

export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = HASH.exec(hash) ?? [];
  if (key === '') return false;
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const wanted = Buffer.from(key, 'base64url');
  const found = await derive(password, Buffer.from(salt, 'base64url'), cost);
  return found.length === wanted.length && timingSafeEqual(found, wanted);
}

/** Takes as long as checking a real password, so that response times do not reveal whether a user exists. */
export async function rejectPassword(password: string): Promise<false> {
  await derive(password, Buffer.alloc(SALT_BYTES), COST);
  return false;
}

function derive(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  const maxmem = 256 * (cost.N ?? 1) * (cost.r ?? 1);
  return new Promise((resolve, reject) =>
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { ...cost, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  );
}
