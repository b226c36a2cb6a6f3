// What is known of a kind of error. Its exit status and its HTTP status go together, so each file here says them once.

export interface ErrorKind {
  readonly exit: number;
  readonly http: number;
  readonly message: string;
  readonly hint?: string;
}

type Status = Pick<ErrorKind, 'exit' | 'http'>;
type Sentences = Pick<ErrorKind, 'message' | 'hint'>;

/** In braces stand details of the single error. */
export function kinds<Code extends string>(
  status: Status,
  sentences: Readonly<Record<Code, Sentences>>,
): Record<Code, ErrorKind> {
  const entries = Object.entries<Sentences>(sentences);
  return Object.fromEntries(entries.map(([code, said]) => [code, { ...status, ...said }])) as Record<
    Code,
    ErrorKind
  >;
}
