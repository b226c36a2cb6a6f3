// One parameter of a recipe: how it is written in the command, and what it takes, in words. Pure, and without the errors that
// reading a whole recipe can end in, so that the page can use it, too.

export const PARAMETER_TYPES = ['string', 'int', 'number', 'path', 'choice'] as const;
export type ParameterType = (typeof PARAMETER_TYPES)[number];

export interface Parameter {
  readonly name: string;
  readonly type: ParameterType;
  /** What is in parentheses: a range, choices, a pattern, a folder. null: nothing is. */
  readonly bounds: string | null;
  /** null: it must be given. */
  readonly fallback: string | null;
}

/** Its name, type, bounds and default. */
export const PARAMETER = /\{([a-z_][a-z0-9_]*)(?::([a-z]+)(?:\((.*?)\))?)?(?:=([^{}]*))?\}/i;

const IN_WORDS: Readonly<Record<ParameterType, (bounds: string | null) => string>> = {
  string: (bounds) => (bounds === null ? 'a text' : `a text that matches ${bounds}`),
  int: (bounds) => `a whole number${bounds === null ? '' : `, ${bounds}`}`,
  number: (bounds) => `a number${bounds === null ? '' : `, ${bounds}`}`,
  path: (bounds) => `a path${bounds === null ? '' : ` below ${bounds}`}`,
  choice: (bounds) => `one of ${bounds?.split(',').join(', ')}`,
};

export const parameterInWords = ({ type, bounds, fallback }: Parameter): string =>
  `${IN_WORDS[type](bounds)}${fallback === null ? '' : ` (default: ${fallback})`}`;
