// As much of PromQL as it takes to know which metrics and labels a query is about. What it does not know fails.

import assert from 'node:assert/strict';

export interface Matcher {
  readonly label: string;
  readonly operator: string;
  readonly value: string;
}

export interface Selector {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
}

export interface ParsedQuery {
  readonly selectors: readonly Selector[];
  /** In by (…), on (…) and the like. */
  readonly groupings: readonly string[];
}

const FUNCTIONS = ['rate', 'increase', 'histogram_quantile', 'absent', 'label_values'];
const AGGREGATIONS = ['sum', 'max', 'min', 'avg', 'count'];
const GROUPINGS = ['by', 'without', 'on', 'ignoring', 'group_left', 'group_right'];
const OPERATORS = ['and', 'or', 'unless', 'bool'];

const TOKEN =
  /\s*(?:([a-zA-Z_:][\w:]*)|("(?:[^"\\]|\\.)*")|\[([^\]]+)\]|(\d+(?:\.\d+)?)|(=~|!~|!=|==|>=|<=|[-+*/<>=(){},]))/y;
const RANGE = /^(?:\d+[smhd]|\$__rate_interval)$/;

export function parseQuery(query: string): ParsedQuery {
  const tokens = tokensOf(query.trim());
  const selectors: Selector[] = [];
  const groupings: string[] = [];
  while (tokens.length > 0) {
    const token = tokens.shift() ?? '';
    if (!/^[a-zA-Z_]/.test(token)) continue;
    if (GROUPINGS.includes(token)) groupings.push(...listOf(tokens, query));
    else if (tokens[0] === '(' || (tokens[0] === 'by' && AGGREGATIONS.includes(token)))
      assert.ok([...FUNCTIONS, ...AGGREGATIONS, ...OPERATORS].includes(token), `${query}: what is ${token}?`);
    else if (!OPERATORS.includes(token)) selectors.push({ metric: token, matchers: matchersOf(tokens, query) });
  }
  assert.ok(selectors.length > 0, `${query}: is about no metric`);
  return { selectors, groupings };
}

function tokensOf(query: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < query.length) {
    const at = TOKEN.lastIndex;
    const [, name, text, range, number, sign] = TOKEN.exec(query) ?? assert.fail(`${query}: from ${at} on`);
    if (range !== undefined) assert.match(range, RANGE, query);
    else tokens.push(name ?? text ?? number ?? sign ?? '');
  }
  return tokens;
}

/** Names in parentheses. */
function listOf(tokens: string[], query: string): string[] {
  assert.equal(tokens.shift(), '(', query);
  const end = tokens.indexOf(')');
  assert.ok(end > 0, query);
  return tokens.splice(0, end + 1).filter((token) => /^\w/.test(token));
}

function matchersOf(tokens: string[], query: string): Matcher[] {
  if (tokens[0] !== '{') return [];
  const end = tokens.indexOf('}');
  assert.ok(end > 0, query);
  const inside = tokens.splice(0, end + 1).filter((token) => !'{},'.includes(token));
  return Array.from({ length: inside.length / 3 }, (_, i) => {
    const [label = '', operator = '', value = ''] = inside.slice(3 * i, 3 * i + 3);
    assert.ok(['=', '!=', '=~', '!~'].includes(operator), `${query}: ${operator}`);
    return { label, operator, value: JSON.parse(value) as string };
  });
}
