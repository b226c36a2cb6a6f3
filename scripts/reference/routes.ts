// docs/reference/http-api.md: every route with its operation, role and summary.

import type { Route } from '../../src/server/route.ts';
import { ROUTES } from '../../src/server/routes/routes.ts';
import { type Block, code, table } from './block.ts';

export function routeBlock(): Block {
  const parts = [...Map.groupBy(ROUTES, ({ tag }) => tag)].map(([tag, routes]) =>
    [`### ${tag}`, table(['request', 'operation', 'role', 'description'], routes.map(row))].join('\n\n'),
  );
  return { page: 'reference/http-api.md', name: 'routes', text: parts.join('\n\n') };
}

const row = ({ method, path, id, role, isOpen, summary }: Route): string[] => [
  code(`${method.toUpperCase()} ${path}`),
  code(id),
  isOpen ? 'none' : role,
  summary,
];
