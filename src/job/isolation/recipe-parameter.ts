// One recipe parameter: its syntax in the command, and a description of its values. Pure, and without the parser's
// errors, so that the dashboard can import it.

export const PARAMETER_TYPES = ['string', 'int', 'number', 'path', 'choice'] as const;
export type ParameterType = (typeof PARAMETER_TYPES)[number];

export interface Parameter {
  readonly name: string;
  readonly type: ParameterType;
  /** Text in parentheses: a range, choices, a pattern or a directory. Null if absent. */
  readonly bounds: string | null;
  /** Default value; null if the parameter is required. */
  readonly fallback: string | null;
}

/** Matches name, type, bounds and default. */
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
