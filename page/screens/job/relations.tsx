// Direct dependencies and dependents of the job; the graph screen shows all of them.

import { Section } from '../../components/screen.tsx';
import { StateShape } from '../../components/state.tsx';
import { commandText, shown } from '../../core/format.ts';
import { useResource } from '../../core/resource.ts';
import { itemHref } from '../../core/router.ts';
import type { Graph, GraphNode, JobDetails } from '../../core/types.ts';

export function Relations({ job }: { job: JobDetails }) {
  const graph = `${itemHref('jobs', job.id)}/graph`;
  const { data } = useResource<Graph>(graph);
  if (!data || data.edges.length === 0) return null;
  const nodes = new Map(data.nodes.map((node) => [node.id, node]));
  const named = (ids: string[]): GraphNode[] => ids.flatMap((id) => nodes.get(id) ?? []);
  const before = named(data.edges.filter(({ child }) => child === job.id).map(({ parent }) => parent));
  const after = named(data.edges.filter(({ parent }) => parent === job.id).map(({ child }) => child));
  return (
    <Section
      title="Dependencies"
      actions={
        <a class="link small" href={graph}>
          full graph
        </a>
      }
    >
      <div class="relations">
        <List title="depends on" nodes={before} />
        <List title="dependents" nodes={after} />
      </div>
    </Section>
  );
}

const List = ({ title, nodes }: { title: string; nodes: readonly GraphNode[] }) => (
  <div>
    <h3 class="muted small">{title}</h3>
    {nodes.length === 0 && <p class="muted">none</p>}
    <ul>
      {nodes.map((node) => (
        <li key={node.id}>
          <a class="relation" href={hrefOfNode(node)}>
            {node.state ? <StateShape state={node.state} /> : <span />}
            <span class="mono link">{node.id}</span>
            <span class="muted cut">{node.command ? shown(commandText(node.command)) : node.name}</span>
          </a>
        </li>
      ))}
    </ul>
  </div>
);

export const hrefOfNode = ({ id }: Pick<GraphNode, 'id'>): string =>
  id.startsWith('group:') ? itemHref('groups', id.slice('group:'.length)) : itemHref('jobs', id);
