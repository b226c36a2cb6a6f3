// The service files of libpq: named sections with parameters. As with libpq, the URL overrides the service, and the service
// overrides the variables. The files are read only if a service is named.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { QueueError } from '../../../errors/errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The parameters of the service; the user's file comes before the system-wide one. */
export function readService(name: string, environment: Environment, home: string): Map<string, string> {
  const own = environment.PGSERVICEFILE || join(home, '.pg_service.conf');
  const files = [own, ...(environment.PGSYSCONFDIR ? [join(environment.PGSYSCONFDIR, 'pg_service.conf')] : [])];
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

/** The first section with this name, or null. */
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
