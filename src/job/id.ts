// Decides what a name can be: IDs of jobs and workers, and names of queues, groups, schedules, tags, keys, recipes and sandboxes.
// Names are segments of URL paths, so no name may lead to another route. Also generates IDs.

export const ID_MAX_LENGTH = 128;
/** Browsers and URL parsers resolve the segments `.` and `..`, also percent-encoded: `/queues/../pause` is `/pause`. */
const VALID = /^(?!\.{1,2}$)[A-Za-z0-9._:-]+$/;
export const VALID_NAMES = `1 to ${ID_MAX_LENGTH} of A-Z a-z 0-9 . _ : -, but not '.' or '..'`;

export const isValidId = (id: string): boolean => id.length <= ID_MAX_LENGTH && VALID.test(id);

/** GET /jobs/count is a route. A test compares this list with the routes. */
const ROUTES_BESIDE_JOBS = ['count'];

/** Whether a job can have this ID or name: clients use both in GET /jobs/{id}. */
export const isValidJobId = (id: string): boolean => isValidId(id) && !ROUTES_BESIDE_JOBS.includes(id);

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
