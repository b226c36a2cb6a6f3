// The dependency graph, which scrolls and zooms. Each node is a link; similar jobs share a node.

import { useMemo, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Empty, Loading, Problem } from '../../components/feedback.tsx';
import { Screen } from '../../components/screen.tsx';
import { StateShape } from '../../components/state.tsx';
import { commandText, count, counted } from '../../core/format.ts';
import { useKeys } from '../../core/keys.ts';
import { useResource } from '../../core/resource.ts';
import { hrefOf, itemHref, type Parameters } from '../../core/router.ts';
import type { Graph } from '../../core/types.ts';
import { hrefOfNode } from '../job/relations.tsx';
import { RerunButton } from './rerun.tsx';
import { countsOf, type FoldedNode, fold } from './fold.ts';
import { layOut, NODE_HEIGHT, NODE_WIDTH, type Placed } from './layout.ts';

export default function GraphScreen({ parameters }: { parameters: Parameters }) {
  const { id, name = id ?? '' } = parameters;
  const noun = id === undefined ? 'groups' : 'jobs';
  const home = itemHref(noun, name);
  const { data, error, reload } = useResource<Graph>(`${home}/graph`);
  const [isFolding, setFolding] = useState(true);
  const [zoom, setZoom] = useState(1);
  const by = (factor: number) => (): void => setZoom(Math.min(2, Math.max(0.2, zoom * factor)));
  useKeys([
    { keys: '+', does: 'zoom in', part: 'Graph', run: by(1.25) },
    { keys: '-', does: 'zoom out', part: 'Graph', run: by(0.8) },
  ]);
  return (
    <Screen
      title={`Graph of ${name}`}
      actions={
        <>
          <Button pressed={isFolding} onPress={() => setFolding(!isFolding)}>
            Group similar jobs
          </Button>
          <Button label="Zoom out (-)" onPress={by(0.8)} icon="minus" />
          <Button label="Zoom in (+)" onPress={by(1.25)} icon="plus" />
          {data && data.nodes.length > 0 && <RerunButton target={noun === 'groups' ? `group:${name}` : name} />}
          <a class="button" href={home}>
            Back to {name}
          </a>
        </>
      }
    >
      {error && !data ? (
        <Problem error={error} onRetry={reload} />
      ) : (
        <Drawn graph={data} isFolding={isFolding} zoom={zoom} />
      )}
    </Screen>
  );
}

function Drawn({ graph, isFolding, zoom }: { graph: Graph | undefined; isFolding: boolean; zoom: number }) {
  const placed = useMemo(() => graph && layOut(fold(graph, isFolding)), [graph, isFolding]);
  if (!graph || !placed) return <Loading />;
  if (graph.nodes.length === 0) {
    return <Empty title="No jobs in this graph" command="queuectl enqueue --after build ./deploy.sh" />;
  }
  return (
    <>
      <p class="muted lead">
        {counted(graph.nodes.length, 'job')}, {counted(graph.edges.length, 'dependency', 'dependencies')}
        {graph.left_out > 0 && `; at least ${count(graph.left_out)} more jobs are not shown`}
      </p>
      <Sheet placed={placed} zoom={zoom} />
    </>
  );
}

const Sheet = ({ placed, zoom }: { placed: Placed; zoom: number }) => (
  <section class="graph" aria-label="graph">
    <svg width={placed.width * zoom} height={placed.height * zoom} viewBox={`0 0 ${placed.width} ${placed.height}`}>
      <title>jobs and their dependencies</title>
      <defs>
        <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M0 0 8 4 0 8z" class="graph-arrow" />
        </marker>
      </defs>
      {placed.edges.map(({ key, d, rule }) => (
        <path key={key} class="graph-edge" d={d} data-rule={rule} marker-end="url(#arrow)" />
      ))}
      {placed.nodes.map(({ node, x, y }) => (
        <Node key={node.id} node={node} x={x} y={y} />
      ))}
    </svg>
  </section>
);

function Node({ node, x, y }: { node: FoldedNode; x: number; y: number }) {
  const [first] = node.members;
  if (!first) return null;
  const isMany = node.members.length > 1;
  const counts = [...countsOf(node.members)];
  const title = isMany ? `${counted(node.members.length, 'job')} (similar)` : (first.name ?? first.id);
  const note = isMany
    ? counts.map(([state, n]) => `${count(n)} ${state}`).join(' · ')
    : first.command
      ? commandText(first.command)
      : 'group';
  const href = isMany
    ? hrefOf('/jobs', { filter: `id:${node.members.map(({ id }) => id).join(',')}` })
    : hrefOfNode(first);
  return (
    <a href={href} class="graph-node" data-state={worst(counts.map(([state]) => state)) ?? ''}>
      <title>{`${title}, ${note}`}</title>
      {isMany && <rect x={x + 4} y={y + 4} width={NODE_WIDTH} height={NODE_HEIGHT} rx="6" />}
      <rect x={x} y={y} width={NODE_WIDTH} height={NODE_HEIGHT} rx="6" />
      {first.state && !isMany && (
        <g transform={`translate(${x + 10} ${y + 9})`}>
          <StateShape state={first.state} />
        </g>
      )}
      <text x={x + (isMany ? 12 : 28)} y={y + 19}>
        {cut(title, 19)}
      </text>
      <text class="graph-note" x={x + 12} y={y + 35}>
        {cut(note, 26)}
      </text>
    </a>
  );
}

const WORST = ['dead', 'failed', 'cancelled', 'processing', 'blocked', 'pending', 'completed'] as const;
const worst = (states: readonly string[]) => WORST.find((state) => states.includes(state));

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
