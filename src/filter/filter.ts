// The filter language: `state:dead queue:mail error:"no such file" older:1d convert`. All words must match; of several
// values of a word, one suffices. Words without a field are searched in ID, command and last error. The result is data
// for the stores. Pure.

import { QueueError } from '../errors/errors.ts';
import type { JobFilter } from '../store/port/list.ts';
import { nearest } from '../text/nearest.ts';
import { FILTER_FIELD_NAMES, FILTER_FIELDS, invalid, isFilterField } from './fields.ts';
import { type Word, wordsOf } from './words.ts';

/** Throws invalid_filter with the problem and its position. */
export const parseFilter = (text: string, now: number): JobFilter =>
  allOf(wordsOf(text).map((word) => placed(word, () => filterOf(word, now))));

/** Adds the word's position to an error. */
function placed<T>({ at }: Word, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof QueueError)) throw error;
    throw new QueueError(error.code, { ...error.details, position: at }, { cause: error });
  }
}

/** Returns a filter that requires all of these filters. */
export function allOf(filters: readonly JobFilter[]): JobFilter {
  const [only, another] = filters;
  if (only === undefined) return {};
  return another === undefined ? only : { and: filters };
}

function filterOf({ typed, field, values }: Word, now: number): JobFilter {
  if (field === null) return { search: values };
  if (!isFilterField(field)) throw unknownField(field, typed);
  if (values.includes('')) throw invalid(`'${typed}' lacks a value`, `${field}: ${FILTER_FIELDS[field].help}`);
  return FILTER_FIELDS[field].read(values, now, field);
}

function unknownField(field: string, typed: string) {
  const near = nearest(field, FILTER_FIELD_NAMES);
  const asText = `to search for the text: "${typed.replaceAll('"', '')}" in quotes`;
  return invalid(
    `unknown field '${field}' in the filter; use one of ${FILTER_FIELD_NAMES.join(', ')}`,
    near ? `did you mean '${near}:'? ${asText}` : asText,
  );
}
