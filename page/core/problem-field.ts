// Finds the form field that a server error is about. Most messages quote the field; the others are recognised by their
// code or text.

interface Rejection {
  readonly code?: string;
  readonly message?: string;
}

const BY_CODE: Readonly<Record<string, string>> = {
  command_required: 'command',
  unknown_dependency: 'depends_on',
  queue_draining: 'queue',
  recipe_not_found: 'recipe',
  secret_not_found: 'secrets',
  recipe_exists: 'name',
};

const BY_WORDS: readonly (readonly [sentence: RegExp, field: string])[] = [
  [/\bsecrets use the variable|\bsecret cannot use|\bvalid secret|allowed to use secrets/, 'secrets'],
  [/sandbox profile|requires the sandbox/, 'sandbox'],
  [/requires the user/, 'user'],
  [/has no parameter/, 'recipe'],
  [/must come from a recipe|shell commands are not allowed|^.*program '.*' .*(allowed|path)/, 'command'],
  [/queue '.*' accepts no jobs/, 'queue'],
  [/jobs are not allowed to run in/, 'cwd'],
  [/invalid (secret|recipe) name/, 'name'],
];

/** Returns null if the error is about none of these fields. */
export function fieldOf(error: unknown, fields: readonly string[]): string | null {
  const { code = '', message = '' } = error as Rejection;
  const guesses = [
    BY_CODE[code],
    parameterIn(message),
    BY_WORDS.find(([sentence]) => sentence.test(message))?.[1],
    ...quotedIn(message),
  ];
  return guesses.find((guess) => guess !== undefined && fields.includes(guess)) ?? null;
}

/** Matches 'parameter 'size' must be …'. */
function parameterIn(message: string): string | undefined {
  const [, name] = /\bparameter '(\w+)'/.exec(message) ?? [];
  return name && `params.${name}`;
}

const quotedIn = (message: string): string[] =>
  [...message.matchAll(/'([a-z_]+(?:\.[a-z_]+)?)'/g)].map(([, name]) => name ?? '');
