// Secrets and what is kept of them. What this program makes up is long and random, so a plain hash is enough for it; what a
// person makes up is not, so a password takes scrypt, with a salt of its own, and work that makes guessing slow.
// Comparisons take the same time however much of a secret is right.

import { hash, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** The work of OWASP's advice for scrypt: 32 MiB and some 100 ms. */
const COST = { N: 2 ** 15, r: 8, p: 3 } as const;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const SECRET_BYTES = 32;

export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** Of a secret that nobody can guess. */
export const hashOf = (secret: string): string => hash('sha256', secret, 'hex');

/** Whether a secret is this one. Asked for every request, so nothing is hashed: how long a secret is, is none. */
export function sameAs(wanted: string): (given: string) => boolean {
  const wantedBytes = Buffer.from(wanted);
  return (given) => {
    const bytes = Buffer.from(given);
    return bytes.length === wantedBytes.length && timingSafeEqual(bytes, wantedBytes);
  };
}

/** scrypt$N$r$p$salt$key: with the work it took, so that there can be more of it one day. */
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

/** Takes as long as looking at a right one: who is known must not be found out by the time of the answer. */
export async function isNobodysPassword(password: string): Promise<false> {
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
