// Parses the topics of an event stream: `stats,jobs,job:ID,output:ID,output:ID@BYTE,bulk:ID`.

import { QueueError } from '../../errors/errors.ts';
import { isValidId } from '../../job/id.ts';

export type Topic =
  | { readonly kind: 'stats' | 'jobs' }
  | { readonly kind: 'job' | 'bulk'; readonly id: string }
  /** Starts at this byte of the latest attempt; null for the end of its output. */
  | { readonly kind: 'output'; readonly id: string; readonly from: number | null };

export const MOST_TOPICS = 100;

/** Drops duplicates. Throws invalid_request. */
export function parseTopics(text: string): Topic[] {
  const words = [...new Set(text.split(',').map((word) => word.trim()))].filter((word) => word !== '');
  if (words.length > MOST_TOPICS) throw invalid(`${words.length} topics, but at most ${MOST_TOPICS} are allowed`);
  return words.map(parseTopic);
}

function parseTopic(word: string): Topic {
  if (word === 'stats' || word === 'jobs') return { kind: word };
  const [kind = '', ...rest] = word.split(':'); // an id may have colons too
  const [id = '', from] = rest.join(':').split('@');
  if ((kind === 'job' || kind === 'bulk') && from === undefined && isValidId(id)) return { kind, id };
  if (kind === 'output' && isValidId(id) && /^\d{0,15}$/.test(from ?? ''))
    return { kind, id, from: from ? Number(from) : null };
  throw invalid(`unknown topic '${word}'; use stats, jobs, job:ID, output:ID, output:ID@BYTE or bulk:ID`);
}

const invalid = (problem: string): QueueError =>
  new QueueError('invalid_request', { where: "'topics' in the query", problem });
