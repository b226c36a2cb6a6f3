// The options of `edit`. Those of fields that cannot be edited are accepted but hidden: the error explains why.

import { ENTRIES, type FieldName, flagsOf } from '../../job/fields/fields.ts';
import { eachOption, without } from '../command.ts';
import { FIELD_OPTIONS } from './job-options.ts';

const editable = ENTRIES.flatMap(([name, { edit }]) => (edit === undefined ? [] : name));

export const EDIT_OPTIONS = {
  ...eachOption(without(FIELD_OPTIONS, 'id'), { hidden: true }),
  ...flagsOf(editable as Exclude<FieldName, 'id'>[]),
};
