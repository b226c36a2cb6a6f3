// Looks up what users typed in tables of names, ignoring inherited properties such as `constructor`.

export const own = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
