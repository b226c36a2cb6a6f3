// Names of fields and settings as users type them in options: max_retries is --max-retries.

export type Dashed<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}-${Dashed<Rest>}`
  : Name;

export const dashed = <Name extends string>(name: Name): Dashed<Name> => name.replaceAll('_', '-') as Dashed<Name>;
