// Reads YAML and JSON with line numbers. The library is large, so this file is loaded on demand.

import { isNode, LineCounter, parseDocument, type YAMLError } from 'yaml';
import { type Document, wrong } from './document.ts';

export function readYaml(text: string): Document {
  const { document, lineAt } = parse(text);
  const [error] = document.errors;
  if (error)
    throw wrong(lineAt(error.pos[0]), problemIn(error, text), 'check the indentation and the quotes on this line');
  return {
    value: plainValue(() => document.toJS({ maxAliasCount: 1000 })),
    locate: locator(document, lineAt),
  };
}

/** Finds lines and duplicate names, which JSON.parse accepts, in a text that has already been parsed. */
export function locateInJson(text: string, value: unknown): Document {
  const { document, lineAt } = parse(text);
  const twice = document.errors.find(({ code }) => code === 'DUPLICATE_KEY');
  if (twice) throw wrong(lineAt(twice.pos[0]), problemIn(twice, text), 'rename one of the two keys');
  return { value, locate: document.errors.length > 0 ? () => null : locator(document, lineAt) };
}

type Parsed = ReturnType<typeof parseDocument>;
type LineAt = (offset: number) => string;

function parse(text: string): { document: Parsed; lineAt: LineAt } {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, merge: true });
  return { document, lineAt: (offset) => `line ${lineCounter.linePos(offset).line}` };
}

function locator(document: Parsed, lineAt: LineAt): Document['locate'] {
  return (path) => {
    const node = document.getIn(path, true);
    return isNode(node) && node.range ? lineAt(node.range[0]) : null;
  };
}

function problemIn({ code, message, pos }: YAMLError, text: string): string {
  if (code !== 'DUPLICATE_KEY') return `invalid YAML: ${message.replace(/\s+/g, ' ')}`;
  const [, key = ''] = /^["']?([^"':]*)/.exec(text.slice(pos[0])) ?? [];
  return `duplicate key '${key.trim()}'`;
}

/** Rejects an alias that refers to itself or expands beyond memory. */
function plainValue(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    throw wrong('the file', `invalid YAML: ${(error as Error).message}`);
  }
}
