// Looking up what people typed in tables of names.

/** The entry that was put there, not one that every object inherits. */
export const own = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
