// The properties of an error code. Exit code and HTTP status belong together, so most files here define them once.

export interface ErrorKind {
  readonly exit: number;
  readonly http: number;
  readonly message: string;
  readonly hint?: string;
}

type Status = Pick<ErrorKind, 'exit' | 'http'>;
type Sentences = Pick<ErrorKind, 'message' | 'hint'>;

/** Words in braces are replaced by details of the error. */
export function kinds<Code extends string>(
  status: Status,
  sentences: Readonly<Record<Code, Sentences>>,
): Record<Code, ErrorKind> {
  const entries = Object.entries<Sentences>(sentences);
  return Object.fromEntries(entries.map(([code, said]) => [code, { ...status, ...said }])) as Record<Code, ErrorKind>;
}
