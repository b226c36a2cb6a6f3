// The flags that can still be changed on a job that waits.

import { type AnyField, flagsOf } from '../../job/fields/fields.ts';
import type { OptionSpec } from '../command.ts';

const flags = (isWanted: (field: AnyField) => boolean, hidden: boolean): [string, OptionSpec][] =>
  Object.entries(flagsOf(isWanted)).map(([name, spec]) => [name, { ...spec, hidden }]);

/** Flags of the other fields are understood, but not offered: the answer says why they cannot be edited. */
export const EDIT_OPTIONS: Readonly<Record<string, OptionSpec>> = Object.fromEntries([
  ...flags(({ edit }) => edit !== undefined, false),
  ...flags(({ noEdit }) => noEdit !== undefined, true),
]);
