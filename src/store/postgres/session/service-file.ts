// The service files of libpq: sections of a name and parameters. What the address says overrides what a service says,
// which overrides the variables, as with libpq. Read only when somebody names a service.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { QueueError } from '../../../errors/errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The parameters of the service; the user's own file comes before the one of the machine. */
export function readService(name: string, environment: Environment, home: string): Map<string, string> {
  const own = environment.PGSERVICEFILE || join(home, '.pg_service.conf');
  const files = [
    own,
    ...(environment.PGSYSCONFDIR ? [join(environment.PGSYSCONFDIR, 'pg_service.conf')] : []),
  ];
  for (const file of files) {
    const service = sectionOf(contentOf(file), name);
    if (service) return service;
  }
  throw new QueueError('usage', {
    problem: `service '${name}' not found in ${files.join(' or ')}`,
    hint: 'check PGSERVICE, or service= in the URL; set PGSERVICEFILE to use another file',
  });
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The first section of this name, or null. */
function sectionOf(content: string, name: string): Map<string, string> | null {
  let found: Map<string, string> | null = null;
  for (const line of content.split('\n').map((text) => text.trim())) {
    if (line.startsWith('[')) {
      if (found) return found;
      if (line === `[${name}]`) found = new Map();
    } else if (found && line !== '' && !line.startsWith('#')) {
      const [, key, value] = /^([^=]*?)\s*=\s*(.*)$/.exec(line) ?? [];
      if (key && value !== undefined && !found.has(key)) found.set(key, value);
    }
  }
  return found;
}
