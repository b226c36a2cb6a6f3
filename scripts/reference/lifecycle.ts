// docs/reference/lifecycle.md: the state machine as a diagram and as a table.

import { isFinal, STATES } from '../../src/job/job.ts';
import { type Event, TRANSITIONS, type Transition } from '../../src/job/lifecycle.ts';
import { type Block, code, table } from './block.ts';

const PAGE = 'reference/lifecycle.md';
const transitions = Object.entries(TRANSITIONS) as [Event, Transition][];

export const lifecycleBlocks = (): Block[] => [
  { page: PAGE, name: 'diagram', text: diagram() },
  { page: PAGE, name: 'transitions', text: transitionTable() },
];

function diagram(): string {
  const arrows = transitions.flatMap(([event, { from, to }]) =>
    from.map((state) => `    ${state} --> ${to}: ${event}`),
  );
  const ends = STATES.filter(isFinal).map((state) => `    ${state} --> [*]`);
  return ['```mermaid', 'stateDiagram-v2', '    [*] --> pending: enqueue', ...arrows, ...ends, '```'].join('\n');
}

const transitionTable = (): string =>
  table(
    ['event', 'from', 'to', 'when'],
    transitions.map(([event, one]) => [event, one.from.map(code).join(', '), code(one.to), one.help]),
  );
