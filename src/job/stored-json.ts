// JSON in columns of the database, which may have been edited manually.

/** Returns undefined if the text is not valid JSON. */
export function jsonIn(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
