import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { graphText } from '../../src/cli/render/graph/graph.ts';
import { dotText, mermaidText } from '../../src/cli/render/graph/graph-formats.ts';
import { inOrder, lanes } from '../../src/cli/render/graph/graph-lanes.ts';
import { styleFor } from '../../src/cli/render/kit/style.ts';
import { visibleWidth } from '../../src/cli/render/kit/text.ts';
import type { JobState } from '../../src/job/job.ts';
import type { Graph, GraphEdge, GraphNode, GraphRule } from '../../src/report/graph.ts';

const node = (id: string, state: JobState = 'pending', name: string | null = null): GraphNode => ({
  id,
  name,
  state,
  command: 'true',
  counts: null,
});

/** 'a>b' : b waits for a. 'a>b:failure' : if it fails. */
function edges(...written: string[]): GraphEdge[] {
  return written.map((text) => {
    const [parent = '', child = '', rule = 'success'] = text.split(/[>:]/);
    return { parent, child, rule: rule as GraphRule };
  });
}

const graph = (nodes: readonly GraphNode[], ...written: string[]): Graph => ({
  nodes,
  edges: edges(...written),
  leftOut: 0,
});

const drawn = (drawn: Graph, width: number | null = null): string[] =>
  graphText(drawn, { style: styleFor(false), width }).split('\n');

const nodes = (...ids: string[]): GraphNode[] => ids.map((id) => node(id));

describe('a graph in the terminal', () => {
  it('branches from a job with several dependents and joins at a job with several dependencies', () =>
    assert.deepEqual(
      drawn(
        graph(
          [node('a', 'completed'), node('b', 'processing'), node('c', 'dead'), node('d', 'blocked')],
          ...['a>b', 'a>c', 'b>d', 'c>d'],
        ),
      ),
      [
        '✓      a  completed     true',
        '├─●    b  processing    true',
        '╰─│─✗  c  dead          true',
        '  ├─╯',
        '  ◌    d  blocked       true',
      ],
    ));

  it('draws a chain in a straight line', () =>
    assert.deepEqual(
      drawn(graph(nodes('a', 'b', 'c'), 'a>b', 'b>c')).map((line) => line.slice(0, 4)),
      ['○  a', '│', '○  b', '│', '○  c'],
    ));

  it('connects a line to its source lanes and passes the others', () =>
    assert.deepEqual(
      drawn(graph(nodes('a', 'b', 'c', 'd', 'e'), 'a>c', 'b>c', 'b>d', 'a>e', 'c>e', 'd>e')).map((line) =>
        line.slice(0, 12),
      ),
      ['○          a', '│ ○        b', '├─┼─○      c', '│ ╰─│─○    d', '╰───┴─┴─○  e'],
    ));

  it('labels dependencies that do not require success', () => {
    const text = drawn(graph(nodes('a', 'b', 'c'), 'a>b:failure', 'a>c:end')).join('\n');
    assert.match(text, /b +pending +after failure of a/);
    assert.match(text, /c +pending +after any outcome of a/);
  });

  it('folds a large fan, keeps important jobs and counts the rest', () => {
    const fan = Array.from({ length: 100 }, (_, i) => node(`f${i}`, i < 98 ? 'completed' : 'dead'));
    const lines = drawn({
      nodes: [node('root'), ...fan, node('end')],
      edges: fan.flatMap(({ id }) => edges(`root>${id}`, `${id}>end`)),
      leftOut: 0,
    });
    assert.equal(lines.length, 8);
    assert.match(lines.join('\n'), /… +96 more +96 completed/);
    assert.match(lines.join('\n'), /f98 +dead/);
  });

  it('names the dependencies if there are too many lanes to draw', () => {
    const many = Array.from({ length: 40 }, (_, i) => `n${i}`);
    const pairs = many.slice(1).flatMap((id, i) => [`n${i}>${id}`, `n${i}>end${i}`]);
    const all = [...many, ...pairs.flatMap((pair) => (pair.includes('end') ? [pair.split('>')[1] ?? ''] : []))];
    const crossing = many.slice(0, 39).map((id, i) => `${id}>end${38 - i}`);
    const lines = drawn(graph(nodes(...all), ...pairs, ...crossing), 80);
    assert.match(lines.join('\n'), /end38 +pending +after n38, n0/);
  });

  it("never exceeds the terminal's width", () => {
    fc.assert(
      fc.property(aGraph(), fc.integer({ min: 50, max: 120 }), (some, width) => {
        for (const line of drawn(some, width)) assert.ok(visibleWidth(line) <= width, line);
      }),
      { numRuns: 50 },
    );
  });

  it('escapes control sequences in names', () =>
    assert.ok(
      !drawn(graph([node('a', 'pending', 'x\u001b[31m\ny')]))
        .join('\n')
        .includes('\u001b'),
    ));

  it('prints how many jobs are not drawn', () =>
    assert.match(drawn({ ...graph(nodes('a')), leftOut: 1234 }).at(-1) ?? '', /1,234 more jobs/));
});

describe('the lanes of a graph', () => {
  it('hold every job once, after all its dependencies', () => {
    fc.assert(
      fc.property(aGraph(), ({ nodes, edges }) => {
        const keys = nodes.map(({ id }) => id);
        const order = inOrder(keys, edges);
        assert.deepEqual(order.toSorted(), keys.toSorted());
        for (const { parent, child } of edges) assert.ok(order.indexOf(parent) < order.indexOf(child));
        assert.deepEqual(
          lanes(keys, edges).flatMap(({ key }) => key ?? []),
          order,
        );
      }),
    );
  });

  it('lead from a job to its dependents only', () => {
    fc.assert(
      fc.property(aGraph(), ({ nodes, edges }) => {
        const rows = lanes(
          nodes.map(({ id }) => id),
          edges,
        );
        const seen = traced(rows);
        const expected = new Set(edges.map(({ parent, child }) => `${parent}>${child}`));
        assert.deepEqual([...seen].sort(), [...expected].sort());
      }),
    );
  });
});

/** Random graphs without cycles: a job waits only for jobs before it. */
function aGraph(): fc.Arbitrary<Graph> {
  return fc.array(fc.array(fc.nat(20), { maxLength: 4 }), { maxLength: 14 }).map((parents) => ({
    nodes: parents.map((_, i) => node(`j${i}`)),
    edges: parents.flatMap((of, i) =>
      [...new Set(of)]
        .filter((parent) => parent < i)
        .map((parent) => ({ parent: `j${parent}`, child: `j${i}`, rule: 'success' as const })),
    ),
    leftOut: 0,
  }));
}

/** Follows the drawn lines as an eye would: up from each job along every line that is tied to its own. */
function traced(rows: ReturnType<typeof lanes>): Set<string> {
  const cells = rows.map(({ before, key, behind }) => [...before, ...(key === null ? [] : ['*']), ...behind]);
  const at = (row: number, column: number): string => cells[row]?.[column] ?? ' ';
  const found = new Set<string>();
  const climb = (row: number, column: number, child: string): void => {
    for (let y = row; y >= 0; y--) {
      const char = at(y, column);
      if (char === '*') {
        found.add(`${rows[y]?.key}>${child}`);
        return;
      }
      if (rows[y]?.key === null && '├'.includes(char)) {
        for (let x = column + 1; ' ' !== at(y, x) && x < 200; x++) {
          if ('┴╯'.includes(at(y, x))) climb(y - 1, x, child);
          if (at(y, x) === '╯') break;
        }
      }
    }
  };
  for (const [y, { key, before }] of rows.entries()) {
    if (key === null) continue;
    const column = before.length;
    for (let x = column - 1; x >= 0 && at(y, x) !== ' '; x--) if ('├┼╰┴'.includes(at(y, x))) climb(y - 1, x, key);
    if ('│├'.includes(at(y - 1, column)) && rows[y - 1]?.key === null) climb(y - 1, column, key);
  }
  return found;
}

describe('a graph in other formats', () => {
  const nasty = graph([node('a', 'dead', 'a"]; end\\'), node('b')], 'a>b:failure');

  it('escapes names in Mermaid', () => {
    const text = mermaidText(nasty);
    assert.match(text, /^flowchart TD\n/);
    assert.match(text, /n1\["a#34;#93;#59; end#92;<br\/>true<br\/>dead"\]:::dead/);
    assert.match(text, /n1 -->\|failure\| n2/);
  });

  it('escapes names in DOT', () => {
    const text = dotText(nasty);
    assert.match(text, /n1 \[label="a\\"\]; end\\\\\\ntrue\\ndead"/);
    assert.match(text, /n1 -> n2 \[label="failure", style=dashed\];/);
  });
});
