// Reads jobs from a file or stdin, as JSON, NDJSON or one command per line. Streams large input.

import { QueueError } from '../../errors/errors.ts';
import { isFlow } from '../../flow/document.ts';
import { filled, isFilled, type Line, openLines } from './input-lines.ts';

/** One job and its position: the line, or the element of a list, counted from 1. */
export interface Written {
  readonly raw: unknown;
  readonly unit: 'line' | 'job';
  readonly number: number;
}

export interface Source {
  readonly jobs: AsyncIterable<Written>;
  /** The share of the input that was read, 0 to 1, or null if its size is unknown. */
  readonly progress: () => number | null;
}

/** A text that is not read line by line: one JSON value, or YAML. */
export interface WholeText {
  readonly text: string;
}

/** Reads a file, or stdin for '-'. */
export async function openSource(path: string, lines: boolean): Promise<Source | WholeText> {
  const { lines: numbered, progress } = openLines(path);
  if (lines) return { jobs: commands(numbered), progress };
  const first = await firstOf(numbered);
  if (first === null) return { jobs: commands(numbered), progress };
  const value = first.text.trimStart().startsWith('[') ? undefined : parsed(first.text);
  if (isFlow(value)) return { text: await lastText(first, numbered) };
  if (value !== undefined) return { jobs: ndjson(first, value, numbered), progress };
  return { text: await wholeText(first, numbered) };
}

export async function* listed(jobs: readonly unknown[]): AsyncGenerator<Written> {
  for (const [index, raw] of jobs.entries()) yield { raw, unit: 'job', number: index + 1 };
}

async function firstOf(lines: AsyncGenerator<Line>): Promise<Line | null> {
  for (;;) {
    const { done, value } = await lines.next();
    if (done) return null;
    if (isFilled(value)) return value;
  }
}

async function* commands(lines: AsyncIterable<Line>): AsyncGenerator<Written> {
  for await (const line of lines)
    if (isFilled(line)) yield { raw: { command: line.text }, unit: 'line', number: line.number };
}

/** The first line is a complete object. */
async function* ndjson(first: Line, raw: unknown, lines: AsyncIterable<Line>): AsyncGenerator<Written> {
  yield { raw, unit: 'line', number: first.number };
  for await (const line of filled(lines)) yield { raw: parseLine(line), unit: 'line', number: line.number };
}

/** Includes blank lines, so that line numbers stay correct. */
async function wholeText(first: Line, rest: AsyncIterable<Line>): Promise<string> {
  const texts = [...Array(first.number - 1).fill(''), first.text];
  for await (const { text } of rest) texts.push(text);
  const others = texts.slice(first.number).filter((text) => text.trim() !== '');
  const isNdjson = others.length > 0 && others.every((text) => text.startsWith('{'));
  if (isNdjson) parseLine(first); // reports that the first line is invalid
  return texts.join('\n');
}

/** Returns the text of a workflow on a single line. */
async function lastText(first: Line, rest: AsyncIterable<Line>): Promise<string> {
  for await (const { number } of filled(rest))
    throw new QueueError('invalid_input', {
      where: `line ${number}`,
      problem: 'unexpected data after the workflow',
      hint: 'remove everything after the workflow',
    });
  return '\n'.repeat(first.number - 1) + first.text;
}

/** Returns undefined if the text is not complete JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseLine({ text, number }: Line): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const problem = `invalid JSON: ${(error as Error).message}`;
    throw new QueueError('invalid_input', {
      where: `line ${number}`,
      problem,
      hint: 'write one JSON object per line',
    });
  }
}
