// A manual page as data. mdoc.ts renders it for `man`, plain.ts for `queuectl help`.

export interface ManualPage {
  /** The name for `man`, such as queuectl-worker-start. */
  readonly name: string;
  readonly section: 1 | 5 | 7;
  readonly summary: string;
  readonly sections: readonly Section[];
  readonly seeAlso: readonly Reference[];
}

export interface Section {
  /** In capital letters, such as EXIT STATUS. */
  readonly title: string;
  readonly content: readonly Content[];
}

export type Content =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'terms'; readonly terms: readonly Term[] }
  | { readonly kind: 'code'; readonly lines: readonly string[] };

export type Term = readonly [word: string, explanation: string];

export type Reference = Pick<ManualPage, 'name' | 'section'>;

export const text = (sentences: string): Content => ({ kind: 'text', text: sentences });
export const terms = (list: readonly Term[]): Content => ({ kind: 'terms', terms: list });
export const code = (lines: readonly string[]): Content => ({ kind: 'code', lines });

/** The summary of a command or option as a sentence. */
export const sentence = (phrase: string): string =>
  `${phrase[0]?.toUpperCase() ?? ''}${phrase.slice(1)}${/[.!?:]$/.test(phrase) ? '' : '.'}`;
