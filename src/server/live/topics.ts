// What a client of the event stream wants to hear of: `stats,jobs,job:ID,output:ID,output:ID@BYTE,bulk:ID`.

import { QueueError } from '../../errors/errors.ts';
import { isValidId } from '../../job/id.ts';

export type Topic =
  | { readonly kind: 'stats' | 'jobs' }
  | { readonly kind: 'job' | 'bulk'; readonly id: string }
  /** From this byte of the newest attempt on; null: the last it has written, and what comes. */
  | { readonly kind: 'output'; readonly id: string; readonly from: number | null };

export const MOST_TOPICS = 100;

/** Else invalid_request. One that is named twice is meant once. */
export function parseTopics(text: string): Topic[] {
  const words = [...new Set(text.split(',').map((word) => word.trim()))].filter((word) => word !== '');
  if (words.length > MOST_TOPICS) throw invalid(`${words.length} are too many: at most ${MOST_TOPICS}`);
  return words.map(parseTopic);
}

function parseTopic(word: string): Topic {
  if (word === 'stats' || word === 'jobs') return { kind: word };
  const [kind = '', ...rest] = word.split(':'); // an id may have colons too
  const [id = '', from] = rest.join(':').split('@');
  if ((kind === 'job' || kind === 'bulk') && from === undefined && isValidId(id)) return { kind, id };
  if (kind === 'output' && isValidId(id) && /^\d{0,15}$/.test(from ?? ''))
    return { kind, id, from: from ? Number(from) : null };
  throw invalid(`'${word}' is not one of stats, jobs, job:ID, output:ID, output:ID@BYTE, bulk:ID`);
}

const invalid = (problem: string): QueueError =>
  new QueueError('invalid_request', { where: "'topics' in the query", problem });
