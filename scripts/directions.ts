// Checks the imports between folders of src/ against the table below, which gives the reasons. Also rejects import
// cycles, files outside a folder, and code that reaches through the facade to the store. Part of `npm run lint`. A
// folder may import itself and the folders in its row. Type imports count too, because they also create a dependency.

import fs from 'node:fs';
import path from 'node:path';

interface Row {
  readonly may: readonly string[];
  readonly why: string;
}

/** Folders that every other folder may import. */
const basics = ['errors', 'system', 'text', 'time'];
const storePort = ['store/store.ts', 'store/port', 'store/sql/job-filter.ts', 'store/open.ts', 'store/location.ts'];
const engine: Row = {
  may: [
    ...[...basics, ...storePort, 'access', 'job', 'series', 'schedule', 'flow', 'settings', 'secrets', 'process'],
    ...['isolation', 'tracing', 'output', 'intake', 'queue', 'worker', 'maintenance'],
  ],
  why: 'it works with any store, through the port (store/store.ts, store/port, store/open.ts), and does not know its caller',
};
const answers: Row = {
  may: [...engine.may, 'report'],
  why: 'reports about a queue are data, made in one way for the CLI and for HTTP, from any store',
};
const front: Row = {
  may: [
    ...[...answers.may, 'filter', 'transfer', 'webhook', 'service'],
    ...['library', 'remote', 'cli', 'server', 'mcp'],
  ],
  why: 'a command or a route must not depend on a concrete store: use src/queue or the port (store/store.ts)',
};
const frontWithout = (...folders: string[]): Row => ({
  ...front,
  may: front.may.filter((name) => !folders.includes(name)),
});

const table: Record<string, Row> = {
  errors: { may: [], why: 'everything else builds on the error catalogue' },
  system: { may: [], why: 'files, random bytes and the version need nothing of the queue' },
  text: { may: [], why: 'words are compared in one way, whatever they are about' },
  time: { may: [], why: 'times and durations are read in one way, whatever they are for' },
  service: { may: ['errors'], why: 'systemd and launchd units know nothing of queues' },
  webhook: {
    may: [],
    why: 'delivering a webhook knows nothing of queues: the caller decided what to send where',
  },
  job: { may: ['errors', 'text', 'time'], why: 'the rules of a job stay pure, without I/O' },
  schedule: {
    may: ['errors', 'text', 'time', 'job'],
    why: 'the times and decisions of a schedule follow from its input, without a store or a clock',
  },
  series: { may: ['job'], why: 'counts over time add up in one way in every store' },
  flow: {
    may: ['errors', 'text', 'time', 'job'],
    why: 'workflows are checked before any store is used, and stay pure',
  },
  settings: {
    may: ['errors', 'text', 'time', 'job'],
    why: 'settings are described apart from where they are stored',
  },
  filter: {
    may: ['errors', 'text', 'time', 'job', 'store/port/list.ts'],
    why: 'the CLI, HTTP and the dashboard read a filter in one way, without a store',
  },
  access: {
    may: [...basics, 'store/store.ts', 'store/port'],
    why: 'roles are decided in one way for every command, every route and any store',
  },
  store: {
    may: ['errors', 'system', 'access/role.ts', 'job', 'schedule', 'series', 'settings'],
    why: 'a store keeps data and runs nothing',
  },
  process: {
    may: ['errors', 'system', 'time', 'job'],
    why: 'running a command does not depend on who asked for it or where it is stored',
  },
  isolation: {
    may: [...basics, 'job', 'settings', 'process'],
    why: 'isolation of a command does not depend on where it is stored or who runs it',
  },
  tracing: { may: ['job', ...storePort], why: 'spans are made in one way from any store' },
  secrets: {
    may: [...basics, 'access', 'job', ...storePort],
    why: 'secrets are decrypted in one place, wherever they are stored',
  },
  output: {
    may: [...basics, 'job', 'process', 'queue/queue.ts', 'queue/interface.ts', ...storePort],
    why: 'the output of an attempt is read in one way from a file and from any store',
  },
  intake: {
    may: [
      ...[...basics, ...storePort, 'access', 'job', 'schedule', 'settings', 'secrets', 'process', 'webhook'],
      'queue/recipes.ts',
    ],
    why: 'new and changed jobs are checked in one way for every caller and any store',
  },
  queue: {
    may: [...engine.may, 'report', 'transfer'],
    why: 'the facade offers everything that commands ask of a queue, and works with any store',
  },
  worker: engine,
  maintenance: engine,
  transfer: engine,
  report: answers,
  cli: front,
  remote: {
    may: [...frontWithout('cli', 'mcp', 'server').may, 'server/operations.ts'],
    why: 'a client knows the operations of a server, and nothing of how it performs them',
  },
  library: frontWithout('cli', 'mcp', 'remote'),
  server: frontWithout('cli', 'mcp', 'library', 'remote'),
  mcp: frontWithout('cli', 'library', 'remote'),
};

/** Folders that use a queue only through its methods. */
const facadeOnly = {
  parts: ['report', 'output/follow.ts', 'cli', 'server', 'mcp'],
  why: 'what a command, a report or a route needs of a queue is a method of Queue (src/queue/queue.ts), with its contract',
};

/** Matches `queue.store`, whatever the queue is called, and `const { store } = queue`. */
const REACHES_THROUGH = /\.store\b|\{[^{}]*\bstore\b[^{}]*\}\s*=[^>]/g;

const src = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..', 'src'));
const problems = [...sources().flatMap((file) => [...check(file), ...checkFacade(file)]), ...cycles()];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

function sources(): string[] {
  const entries = fs.readdirSync(src, { recursive: true, encoding: 'utf8' });
  return entries.filter((name) => name.endsWith('.ts')).sort();
}

function check(file: string): string[] {
  const part = file.split(path.sep)[0] ?? file;
  const row = table[part];
  if (row === undefined) return [`src/${file}: is in no folder that the table of scripts/directions.ts lists`];
  const mayImport = (target: string) => [part, ...row.may].some((name) => isWithin(target, name));
  return imports(file)
    .filter(({ target }) => !mayImport(target))
    .map(({ target, line }) => `src/${file}:${line}: ${part} may not import ${target}: ${row.why}`);
}

function imports(file: string): { target: string; line: number }[] {
  const text = fs.readFileSync(path.join(src, file), 'utf8');
  const relative = /\b(?:from|import)\s*\(?\s*['"](\.[^'"]*)['"]/g;
  return [...text.matchAll(relative)].map((match) => ({
    target: path.join(path.dirname(file), match[1] ?? ''),
    line: lineAt(text, match.index),
  }));
}

/** Returns the imports evaluated at load time: neither types nor dynamic imports. */
function loadedBy(file: string): string[] {
  const text = fs.readFileSync(path.join(src, file), 'utf8');
  const statements = text.matchAll(/^(?:import|export)\s+(?!type\b)(?:([^;']*?)\sfrom\s+)?'(\.[^']*)';/gm);
  return [...statements]
    .filter(([, names = '']) => !/^\{(\s*type\s[^,}]*,?)+\s*\}$/.test(names))
    .map(([, , target = '']) => path.join(path.dirname(file), target));
}

/** Returns each cycle once. */
function cycles(): string[] {
  const finished = new Set<string>();
  const found: string[] = [];
  const walk = (file: string, trail: readonly string[]): void => {
    if (finished.has(file)) return;
    const start = trail.indexOf(file);
    if (start >= 0) {
      found.push(`import cycle: ${[...trail.slice(start), file].map((name) => `src/${name}`).join(' -> ')}`);
      return;
    }
    for (const next of loadedBy(file)) if (fs.existsSync(path.join(src, next))) walk(next, [...trail, file]);
    finished.add(file);
  };
  for (const file of sources()) walk(file, []);
  return found;
}

function checkFacade(file: string): string[] {
  const part = file.split(path.sep)[0] ?? file;
  if (!facadeOnly.parts.some((name) => isWithin(file, name))) return [];
  const text = fs.readFileSync(path.join(src, file), 'utf8');
  return [...text.matchAll(REACHES_THROUGH)].map(
    ({ index }) => `src/${file}:${lineAt(text, index)}: ${part} may not use queue.store: ${facadeOnly.why}`,
  );
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

function isWithin(target: string, name: string): boolean {
  return target === name || target.startsWith(`${name}/`);
}
