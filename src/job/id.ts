// IDs of jobs and workers, and names of everything else that has one: what a valid one is, and how one is generated.

export const ID_MAX_LENGTH = 128;
/** Not . or .. alone: in a path, clients take them for directories, and would reach something else. */
export const VALID_NAME = /^(?!\.{1,2}$)[A-Za-z0-9._:-]+$/;

export const VALID_NAMES = `use 1 to ${ID_MAX_LENGTH} characters of A-Z a-z 0-9 . _ : -, but not '.' or '..'`;

export const isValidId = (id: string): boolean => id.length <= ID_MAX_LENGTH && VALID_NAME.test(id);

/** Words that stand where the HTTP API has the ID of a job. */
export const RESERVED_JOB_IDS: readonly string[] = ['count'];

/** Whether a job can have this ID or name: clients use both in GET /jobs/{id}. */
export const isValidJobId = (id: string): boolean => isValidId(id) && !RESERVED_JOB_IDS.includes(id);

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
