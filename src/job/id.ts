// IDs of jobs and workers, and names of queues, groups and schedules: validation and generation.

export const ID_MAX_LENGTH = 128;
/** Rejects . and .. because HTTP clients normalize them in paths. */
export const VALID_NAME = /^(?!\.{1,2}$)[A-Za-z0-9._:-]+$/;

export const VALID_NAMES = `use 1 to ${ID_MAX_LENGTH} characters of A-Z a-z 0-9 . _ : -, but not '.' or '..'`;

export const isValidId = (id: string): boolean => id.length <= ID_MAX_LENGTH && VALID_NAME.test(id);

/** Words that the HTTP API uses in place of a job ID. */
export const RESERVED_JOB_IDS: readonly string[] = ['count'];

/** Also applies to job names, because clients use both in GET /jobs/{id}. */
export const isValidJobId = (id: string): boolean => isValidId(id) && !RESERVED_JOB_IDS.includes(id);

// 32 characters, so that a byte picks one without bias. Omits i, l, o and u, which are easily misread.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const JOB_ID_LENGTH = 10;
const WORKER_ID_LENGTH = 6;
const GROUP_NAME_LENGTH = 7;

/** `randomBytes` is injected so that tests can predict IDs. */
export const newJobId = (randomBytes: (count: number) => Uint8Array): string => spell(randomBytes(JOB_ID_LENGTH));

export const newWorkerId = (randomBytes: (count: number) => Uint8Array): string =>
  `w${spell(randomBytes(WORKER_ID_LENGTH))}`;

export const newGroupName = (randomBytes: (count: number) => Uint8Array): string =>
  `g${spell(randomBytes(GROUP_NAME_LENGTH))}`;

function spell(bytes: Uint8Array): string {
  let id = '';
  for (const byte of bytes) id += ALPHABET[byte % ALPHABET.length];
  return id;
}
