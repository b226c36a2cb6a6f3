// Regular expressions that match a whole text in linear time. JavaScript's engine backtracks: (a+)+ takes seconds for
// thirty characters. This one tracks all possible states at once. It supports literals, ., classes, escapes, groups, |
// and counts, but no lookaround, backreferences or \b.

/** Counted parts are expanded, so {1,999} creates many states. */
const MOST_STATES = 2000;
const MOST_COUNT = 1000;
/** Limit for states times characters: about a fifth of a second. */
const MOST_STEPS = 1_000_000;

type Matches = (character: string) => boolean;

type Node =
  | { readonly kind: 'one'; readonly matches: Matches }
  | { readonly kind: 'all'; readonly parts: readonly Node[] }
  | { readonly kind: 'any'; readonly options: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly min: number; readonly max: number };

export interface LinearPattern {
  /** Maximum text length; the more states, the shorter. */
  readonly longest: number;
  test(text: string): boolean;
}

/** Returns null if the expression is invalid or unsupported. */
export function linearPattern(source: string): LinearPattern | null {
  try {
    const machine = machineOf(new Reader(source).whole());
    const longest = Math.floor(MOST_STEPS / machine.states.length);
    return { longest, test: (text) => text.length <= longest && runs(machine, text) };
  } catch (error) {
    if (error instanceof Unsupported) return null;
    throw error;
  }
}

class Unsupported extends Error {}

class Reader {
  private readonly characters: readonly string[];
  private at = 0;

  constructor(source: string) {
    this.characters = [...source];
  }

  whole(): Node {
    const node = this.options();
    if (this.at < this.characters.length) throw new Unsupported();
    return node;
  }

  private options(): Node {
    const options = [this.sequence()];
    while (this.take('|')) options.push(this.sequence());
    return options.length === 1 && options[0] ? options[0] : { kind: 'any', options };
  }

  private sequence(): Node {
    const parts: Node[] = [];
    this.take('^'); // implied, because the whole text is matched
    while (this.peek !== undefined && this.peek !== '|' && this.peek !== ')') {
      if (this.take('$')) break;
      parts.push(this.repeated(this.atom()));
    }
    return { kind: 'all', parts };
  }

  private repeated(part: Node): Node {
    const count = this.count();
    if (count === null) return part;
    this.take('?'); // laziness makes no difference for a whole match
    if (this.count() !== null) throw new Unsupported();
    return { kind: 'repeat', part, ...count };
  }

  private count(): { min: number; max: number } | null {
    if (this.take('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.take('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.take('?')) return { min: 0, max: 1 };
    const [whole, min = '', comma, max] = /^\{(\d+)(,)?(\d+)?\}/.exec(this.rest) ?? [];
    if (whole === undefined) return null;
    this.at += whole.length;
    const last = max === undefined ? (comma ? Number.POSITIVE_INFINITY : Number(min)) : Number(max);
    if (Number(min) > MOST_COUNT || (last > MOST_COUNT && max !== undefined) || last < Number(min))
      throw new Unsupported();
    return { min: Number(min), max: last };
  }

  private atom(): Node {
    if (this.take('(')) return this.group();
    if (this.take('[')) return { kind: 'one', matches: this.characterClass() };
    if (this.take('.')) return { kind: 'one', matches: (character) => !/[\n\r\u2028\u2029]/.test(character) };
    if (this.take('\\')) return { kind: 'one', matches: this.escape() };
    const character = this.next();
    if ('*+?{}]'.includes(character)) throw new Unsupported();
    return { kind: 'one', matches: (other) => other === character };
  }

  private group(): Node {
    if (this.take('?') && !this.take(':')) throw new Unsupported();
    const inside = this.options();
    if (!this.take(')')) throw new Unsupported();
    return inside;
  }

  private characterClass(): Matches {
    const isNegated = this.take('^');
    const members: Matches[] = [];
    while (!this.take(']')) members.push(this.member());
    return (character) => members.some((matches) => matches(character)) !== isNegated;
  }

  private member(): Matches {
    const from = this.next();
    if (from === '\\') return this.escape();
    if (this.peek !== '-' || this.characters[this.at + 1] === ']') return (character) => character === from;
    this.at++;
    const to = this.next();
    const [first, last] = [from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0];
    if (to === '\\' || last < first) throw new Unsupported();
    return (character) => (character.codePointAt(0) ?? -1) >= first && (character.codePointAt(0) ?? -1) <= last;
  }

  private escape(): Matches {
    const name = this.next();
    const known = ESCAPES[name];
    if (known) return (character) => known.test(character);
    if (/[A-Za-z0-9]/.test(name)) throw new Unsupported();
    return (character) => character === name;
  }

  private get peek(): string | undefined {
    return this.characters[this.at];
  }

  private get rest(): string {
    return this.characters.slice(this.at, this.at + 12).join('');
  }

  private next(): string {
    const character = this.characters[this.at++];
    if (character === undefined) throw new Unsupported();
    return character;
  }

  private take(character: string): boolean {
    if (this.peek !== character) return false;
    this.at++;
    return true;
  }
}

const ESCAPES: Readonly<Record<string, RegExp>> = {
  d: /\d/, D: /\D/, w: /\w/, W: /\W/, s: /\s/u, S: /\S/u, t: /\t/, n: /\n/, r: /\r/,
}; // biome-ignore format: a table

/** A state consumes one character, or continues without one. The last state is the end. */
interface State {
  readonly matches: Matches | null;
  readonly next: readonly number[];
}

/** Built from end to start: each node receives its successor state and returns its first state. */
function machineOf(whole: Node): { readonly states: readonly State[]; readonly start: number } {
  const states: { matches: Matches | null; next: number[] }[] = [{ matches: null, next: [] }];
  const add = (matches: Matches | null, next: number[]): number => {
    if (states.length >= MOST_STATES) throw new Unsupported();
    return states.push({ matches, next }) - 1;
  };
  const build = (node: Node, after: number): number => {
    switch (node.kind) {
      case 'one':
        return add(node.matches, [after]);
      case 'all':
        return node.parts.reduceRight((next, part) => build(part, next), after);
      case 'any':
        return add(null, node.options.map((option) => build(option, after))); // biome-ignore format: one line
      case 'repeat':
        return repeat(node, after);
    }
  };
  const repeat = ({ part, min, max }: Extract<Node, { kind: 'repeat' }>, after: number): number => {
    let next = after;
    if (max === Number.POSITIVE_INFINITY) {
      next = add(null, [after]);
      states[next]?.next.push(build(part, next));
    } else {
      for (let i = min; i < max; i++) next = add(null, [after, build(part, next)]);
    }
    for (let i = 0; i < min; i++) next = build(part, next);
    return next;
  };
  return { start: build(whole, 0), states };
}

function runs({ states, start }: ReturnType<typeof machineOf>, text: string): boolean {
  let current = new Set<number>();
  enter(states, start, current);
  for (const character of text) {
    const following = new Set<number>();
    for (const at of current) {
      const state = states[at];
      if (state?.matches?.(character)) for (const next of state.next) enter(states, next, following);
    }
    if (following.size === 0) return false;
    current = following;
  }
  return current.has(0);
}

/** Adds a state with all states reachable without reading. */
function enter(states: readonly State[], at: number, into: Set<number>): void {
  const waiting = [at];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (into.has(next)) continue;
    into.add(next);
    const state = states[next];
    if (state && state.matches === null) waiting.push(...state.next);
  }
}
