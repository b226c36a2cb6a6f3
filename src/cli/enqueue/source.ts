// Many jobs from a file or stdin, as JSON, NDJSON or a command a line. Large input streams.

import { QueueError } from '../../errors/errors.ts';
import { isFlow } from '../../flow/document.ts';
import { filled, isFilled, type Line, openLines } from './input-lines.ts';

/** One job as it was written, and where: the line, or the element of a list, counted from 1. */
export interface Written {
  readonly raw: unknown;
  readonly unit: 'line' | 'job';
  readonly number: number;
}

export interface Source {
  readonly jobs: AsyncIterable<Written>;
  /** Share of the input that was read, 0 to 1; null when its size is not known. */
  readonly progress: () => number | null;
}

/** A text that is no list of lines: one JSON value, or YAML. */
export interface WholeText {
  readonly text: string;
}

/** Jobs from a file, or from stdin for '-': one after the other, or a text that has to be read as a whole. */
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

/** The jobs of a JSON text that is a list. */
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

/** When the first line is a whole object. */
async function* ndjson(first: Line, raw: unknown, lines: AsyncIterable<Line>): AsyncGenerator<Written> {
  yield { raw, unit: 'line', number: first.number };
  for await (const line of filled(lines)) yield { raw: parseLine(line), unit: 'line', number: line.number };
}

/** With the blank lines it has, so that the others keep their numbers. */
async function wholeText(first: Line, rest: AsyncIterable<Line>): Promise<string> {
  const texts = [...Array(first.number - 1).fill(''), first.text];
  for await (const { text } of rest) texts.push(text);
  const others = texts.slice(first.number).filter((text) => text.trim() !== '');
  const isNdjson = others.length > 0 && others.every((text) => text.startsWith('{'));
  if (isNdjson) parseLine(first); // its first line is the bad one: say so
  return texts.join('\n');
}

/** A flow on one line, as programs write it. */
async function lastText(first: Line, rest: AsyncIterable<Line>): Promise<string> {
  for await (const { number } of filled(rest))
    throw new QueueError('invalid_input', {
      where: `line ${number}`,
      problem: 'unexpected data after the workflow',
      hint: 'remove everything after the workflow',
    });
  return '\n'.repeat(first.number - 1) + first.text;
}

/** undefined: this is not JSON, or not all of it. */
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
