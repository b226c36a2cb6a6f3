// Ids of jobs and workers: what a valid one is, and how one is made up.

export const ID_MAX_LENGTH = 128;
const VALID = /^[A-Za-z0-9._:-]+$/;

export const isValidId = (id: string): boolean => id.length <= ID_MAX_LENGTH && VALID.test(id);

// 32 characters, so that a byte picks one without bias; without i, l, o and u, which are misread.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const JOB_ID_LENGTH = 10;
const WORKER_ID_LENGTH = 6;
const GROUP_NAME_LENGTH = 7;

/** `randomBytes` fills the given number of bytes: injected, so that ids can be foreseen in tests. */
export const newJobId = (randomBytes: (count: number) => Uint8Array): string =>
  spell(randomBytes(JOB_ID_LENGTH));

export const newWorkerId = (randomBytes: (count: number) => Uint8Array): string =>
  `w${spell(randomBytes(WORKER_ID_LENGTH))}`;

export const newGroupName = (randomBytes: (count: number) => Uint8Array): string =>
  `g${spell(randomBytes(GROUP_NAME_LENGTH))}`;

function spell(bytes: Uint8Array): string {
  let id = '';
  for (const byte of bytes) id += ALPHABET[byte % ALPHABET.length];
  return id;
}
