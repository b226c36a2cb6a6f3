// Regular expressions that match in linear time: the text decides which of all possible positions in the expression are still
// open, character by character, and nothing is ever tried again. Constructs that need backtracking (backreferences,
// lookaround, \b) are not part of the language. A pattern always matches the whole text.

/** Returns whether the whole text matches. */
export type LinearPattern = (text: string) => boolean;

type Step =
  | { readonly kind: 'atom'; readonly atom: Atom }
  | { readonly kind: 'split'; first: number; second: number }
  | { readonly kind: 'edge'; readonly isStart: boolean };

/** Whether one character matches, remembered for each character. */
type Atom = (character: string) => boolean;

type Node =
  | { readonly kind: 'atom'; readonly atom: Atom }
  | { readonly kind: 'edge'; readonly isStart: boolean }
  | { readonly kind: 'row'; readonly nodes: readonly Node[] }
  | { readonly kind: 'either'; readonly nodes: readonly Node[] }
  | { readonly kind: 'repeat'; readonly node: Node; readonly least: number; readonly most: number };

/** `{1,1000}` is written out, so it counts a thousand times. */
const MOST_STEPS = 2000;
const DEEPEST = 100;

/** Throws an error whose message says what is wrong with the expression. */
export function linearPattern(source: string): LinearPattern {
  new RegExp(source, 'u'); // what JavaScript cannot read either is its to explain
  const steps: Step[] = [];
  write(new Reader(source).read(), steps);
  return (text) => matches(steps, text);
}

class Reader {
  private readonly source: string;
  private readonly atoms = new Map<string, Atom>();
  private at = 0;

  constructor(source: string) {
    this.source = source;
  }

  read(): Node {
    return this.either(0);
  }

  private either(depth: number): Node {
    if (depth > DEEPEST) throw new Error('it has too many groups in each other');
    const nodes = [this.row(depth)];
    while (this.take(/\|/y)) nodes.push(this.row(depth));
    return { kind: 'either', nodes };
  }

  private row(depth: number): Node {
    const nodes: Node[] = [];
    while (this.at < this.source.length && !this.isNext('|') && !this.isNext(')'))
      nodes.push(this.repeated(this.single(depth)));
    return { kind: 'row', nodes };
  }

  private single(depth: number): Node {
    if (this.take(/\((?!\?)|\(\?:|\(\?<[\p{L}_$][\p{L}\p{N}_$]*>/uy)) {
      const node = this.either(depth + 1);
      this.take(/\)/y);
      return node;
    }
    const edge = this.take(/[$^]/y);
    if (edge) return { kind: 'edge', isStart: edge === '^' };
    const refused = this.take(/\(\?|\\[bBk1-9]/y);
    if (refused) throw new Error(`${refused} cannot be matched in linear time`);
    const text =
      this.take(/\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u....|\\x..|\\c.|\\.|./suy) ?? '';
    return { kind: 'atom', atom: this.atomOf(text) };
  }

  private atomOf(text: string): Atom {
    const atom = this.atoms.get(text) ?? newAtom(new RegExp(`^${text}$`, 'u'));
    this.atoms.set(text, atom);
    return atom;
  }

  /** Whether it takes as much or as little as it can makes no difference to a match of the whole text. */
  private repeated(node: Node): Node {
    const written = this.take(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
    if (written === null) return node;
    const [least, most] = TIMES[written[0] ?? ''] ?? countsIn(written);
    return { kind: 'repeat', node, least, most };
  }

  private isNext(character: string): boolean {
    return this.source[this.at] === character;
  }

  private take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const [found] = pattern.exec(this.source) ?? [];
    if (found === undefined) return null;
    this.at += found.length;
    return found;
  }
}

const ENDLESS = Number.POSITIVE_INFINITY;
const TIMES: Readonly<Record<string, readonly [number, number]>> = {
  '*': [0, ENDLESS],
  '+': [1, ENDLESS],
  '?': [0, 1],
};

function countsIn(written: string): readonly [number, number] {
  const [, least = '', comma, most = ''] = /(\d+)(,?)(\d*)/.exec(written) ?? [];
  if (comma === '') return [Number(least), Number(least)];
  return [Number(least), most === '' ? ENDLESS : Number(most)];
}

function newAtom(one: RegExp): Atom {
  const known = new Map<string, boolean>();
  return (character) => {
    const found = known.get(character) ?? one.test(character);
    if (known.size < 1000) known.set(character, found);
    return found;
  };
}

/** Each step goes on with the next one; the end of the list is a match. */
function write(node: Node, steps: Step[]): void {
  if (steps.length > MOST_STEPS) throw new Error('it is too large; repeat less often');
  if (node.kind === 'row') for (const one of node.nodes) write(one, steps);
  else if (node.kind === 'either') writeEither(node.nodes, steps);
  else if (node.kind === 'repeat') writeRepeat(node.node, node.least, node.most, steps);
  else steps.push(node);
}

function writeEither(nodes: readonly Node[], steps: Step[]): void {
  const ends: { first: number; second: number }[] = [];
  for (const [i, node] of nodes.entries()) {
    const fork = i < nodes.length - 1 ? writeSplit(steps) : null;
    write(node, steps);
    if (fork === null) break;
    ends.push(writeSplit(steps));
    fork.second = steps.length;
  }
  for (const end of ends) [end.first, end.second] = [steps.length, steps.length];
}

function writeRepeat(node: Node, least: number, most: number, steps: Step[]): void {
  if (least > MOST_STEPS) throw new Error('it is too large; repeat less often');
  for (let i = 0; i < least; i++) write(node, steps);
  if (most === ENDLESS) {
    const from = steps.length;
    const fork = writeSplit(steps);
    write(node, steps);
    const back = writeSplit(steps);
    [back.first, back.second] = [from, from];
    fork.second = steps.length;
    return;
  }
  const forks: { second: number }[] = [];
  for (let i = least; i < most; i++) {
    forks.push(writeSplit(steps));
    write(node, steps);
    if (forks.length > MOST_STEPS) throw new Error('it is too large; repeat less often');
  }
  for (const fork of forks) fork.second = steps.length;
}

/** Goes on with the next step, and also wherever `second` will be. */
function writeSplit(steps: Step[]): { first: number; second: number } {
  const split = { kind: 'split' as const, first: steps.length + 1, second: steps.length + 1 };
  steps.push(split);
  return split;
}

function matches(steps: readonly Step[], text: string): boolean {
  const characters = [...text];
  let open = reached(steps, [0], true, characters.length === 0);
  for (const [i, character] of characters.entries()) {
    const next: number[] = [];
    for (const at of open) {
      const step = steps[at];
      if (step?.kind === 'atom' && step.atom(character)) next.push(at + 1);
    }
    if (next.length === 0) return false;
    open = reached(steps, next, false, i === characters.length - 1);
  }
  return open.has(steps.length);
}

/** The steps that wait for a character, and the end, that can be reached from these without one; each once. */
function reached(
  steps: readonly Step[],
  from: readonly number[],
  isAtStart: boolean,
  isAtEnd: boolean,
): Set<number> {
  const seen = new Set<number>();
  const left = [...from];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const step = steps[at];
    if (step?.kind === 'split') left.push(step.first, step.second);
    else if (step?.kind === 'edge' && (step.isStart ? isAtStart : isAtEnd)) left.push(at + 1);
  }
  return seen;
}
