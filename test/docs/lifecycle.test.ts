// docs/lifecycle.md shows the state machine as it is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFinal, OUTCOMES, STATES } from '../../src/job/job.ts';
import { type Event, TRANSITIONS, type Transition } from '../../src/job/lifecycle.ts';
import { checkGenerated, readPage, table } from './generated.ts';

const transitions = Object.entries(TRANSITIONS) as [Event, Transition][];

test('the diagram is the transition table', () => checkGenerated('lifecycle.md', 'diagram', diagram()));

test('the table of moves is the transition table', () => checkGenerated('lifecycle.md', 'moves', moves()));

test('every state and every outcome is explained', () => {
  const page = readPage('lifecycle.md');
  for (const word of [...STATES, ...OUTCOMES])
    assert.ok(page.includes(`| \`${word}\` |`), `${word} is missing`);
});

function diagram(): string {
  const arrows = transitions.flatMap(([event, { from, to }]) =>
    from.map((state) => `    ${state} --> ${to}: ${event}`),
  );
  const ends = STATES.filter(isFinal).map((state) => `    ${state} --> [*]`);
  return [
    '```mermaid',
    'stateDiagram-v2',
    '    [*] --> pending: enqueue',
    ...arrows,
    ...ends,
    '```',
    '',
  ].join('\n');
}

function moves(): string {
  const code = (word: string): string => `\`${word}\``;
  return table(
    ['event', 'from', 'to', 'when'],
    transitions.map(([event, { from, to, means }]) => [event, from.map(code).join(', '), code(to), means]),
  );
}
