// Named texts that only src can interpret: recipes and encrypted secrets.

export interface Texts {
  readonly recipes: NamedTexts;
  readonly secrets: NamedTexts;
}

export interface NamedTexts {
  /** Sorted by name. */
  all(): Promise<NamedText[]>;
  get(name: string): Promise<NamedText | null>;
  /** Returns false, and changes nothing, if the name is taken and `mayReplace` is false. */
  save(entry: NamedText, mayReplace: boolean): Promise<boolean>;
  /** Returns false if there is no such text. */
  remove(name: string): Promise<boolean>;
}

export interface NamedText {
  readonly name: string;
  readonly text: string;
  readonly createdAt: number;
  readonly createdBy: string;
}
