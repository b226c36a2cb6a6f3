// What people keep in the queue by name, and only src knows how to read: recipes, and secrets that are sealed.

export interface Texts {
  readonly recipes: NamedTexts;
  readonly secrets: NamedTexts;
}

export interface NamedTexts {
  /** By name. */
  all(): Promise<NamedText[]>;
  get(name: string): Promise<NamedText | null>;
  /** false: the name is taken, and nothing was changed; never, if it may replace what is there. */
  save(entry: NamedText, mayReplace: boolean): Promise<boolean>;
  /** false: there is none. */
  remove(name: string): Promise<boolean>;
}

export interface NamedText {
  readonly name: string;
  readonly text: string;
  readonly createdAt: number;
  readonly createdBy: string;
}
