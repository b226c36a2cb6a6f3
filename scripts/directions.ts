// Checks who imports whom in src/ against the table below, which says why, and who reaches through the facade to the store;
// part of `npm run lint`.
// A folder may import itself and what its row names. Type imports count: they too are knowledge of the other side.

import fs from 'node:fs';
import path from 'node:path';

interface Row {
  readonly may: readonly string[];
  readonly why: string;
}

/** How people write things: knows nothing of jobs. */
const writing = ['text', 'time'];
const storePort = ['store/store.ts', 'store/port', 'store/job-filter.ts', 'store/open.ts'];
const engine: Row = {
  may: [
    'errors.ts',
    'own-file.ts',
    'access',
    'place.ts',
    'random.ts',
    ...writing,
    'job',
    'series',
    'schedule',
    'flow',
    'settings',
    ...storePort,
    'process',
    'confine',
    'tracing',
    'worker',
    'maintenance',
    'output',
    'intake.ts',
    'policy-check.ts',
    'change-check.ts',
    'setting-check.ts',
    'recipes.ts',
    'secrets',
    'admission.ts',
    'confinement-check.ts',
    'parents.ts',
    'paging.ts',
    'enqueue-once.ts',
    'schedules.ts',
    'group-change.ts',
    'groups.ts',
    'named-queues.ts',
    'job-control.ts',
    'job-reading.ts',
    'rerun.ts',
    'queue.ts',
  ],
  why: 'it works with any store, through the port (store/store.ts, store/port, store/open.ts), and does not know who drives it',
};
const answers: Row = {
  may: [...engine.may, 'report'],
  why: 'what people ask about a queue is data, made the same way for the CLI and for HTTP, from any store',
};
const front: Row = {
  may: [
    ...answers.may,
    ...['filter', 'move.ts', 'transfer', 'webhook', 'service', 'version.ts'],
    ...['library', 'remote', 'cli', 'server', 'mcp'],
  ],
  why: 'a command or a route must not depend on which store it talks to: use queue.ts or the port (store/store.ts)',
};

const table: Record<string, Row> = {
  errors: { may: [], why: 'everything else builds on the error catalogue' },
  'errors.ts': { may: ['errors'], why: 'everything else builds on the error catalogue' },
  'place.ts': {
    may: ['errors.ts', 'store/postgres/target.ts'],
    why: 'where a queue lives follows from a flag and the environment alone',
  },
  'version.ts': { may: [], why: 'which version this is depends on nothing' },
  'random.ts': { may: [], why: 'a source of random bytes needs nothing of the queue' },
  'own-file.ts': { may: [], why: 'a file is opened the same way whatever is in it' },
  access: {
    may: ['errors.ts', 'own-file.ts', ...writing, 'store/store.ts', 'store/port'],
    why: 'who may do what is decided the same way for every command, every route and any store',
  },
  text: { may: [], why: 'words are compared the same way whatever they are about' },
  time: { may: [], why: 'times and durations are read the same way whatever they are for' },
  job: {
    may: ['errors.ts', ...writing],
    why: 'what a job is stays pure: rules without I/O, that every other part can trust',
  },
  schedule: {
    may: ['errors.ts', ...writing, 'job'],
    why: 'when a schedule runs and what becomes of its ticks follows from what is given, without a store or a clock',
  },
  service: {
    may: ['errors.ts'],
    why: 'what keeps a process running on a machine knows nothing of queues',
  },
  series: {
    may: ['job'],
    why: 'what is counted over time, and how it adds up, is the same in every store and for everybody who looks',
  },
  filter: {
    may: ['errors.ts', ...writing, 'job', 'store/port/list.ts'],
    why: 'a filter is read from text the same way for the CLI, for HTTP and for the page, and knows no store',
  },
  flow: {
    may: ['errors.ts', ...writing, 'job'],
    why: 'many jobs said at once are checked before any store is asked, and stay pure',
  },
  settings: {
    may: ['errors.ts', ...writing, 'job'],
    why: 'settings are described apart from where they are stored and used',
  },
  store: {
    may: [
      'errors.ts',
      'own-file.ts',
      'place.ts',
      'random.ts',
      'access/role.ts',
      'job',
      'schedule',
      'series',
      'settings',
    ],
    why: 'a store keeps what it is given and runs nothing',
  },
  process: {
    may: ['errors.ts', 'own-file.ts', 'time', 'job'],
    why: 'running a command is the same whoever asked for it and wherever it is stored',
  },
  tracing: {
    may: ['job', ...storePort],
    why: 'what was run is told in the same way whoever ran it, and from any store',
  },
  confine: {
    may: ['errors.ts', 'own-file.ts', ...writing, 'job', 'settings', 'process'],
    why: 'what a command may touch is decided apart from where it is stored and who runs it',
  },
  worker: engine,
  maintenance: engine,
  output: {
    may: ['time', 'job', ...storePort, 'process', 'queue.ts'],
    why: 'what an attempt wrote is read the same way from a file and from any store',
  },
  'admission.ts': {
    may: ['errors.ts', 'job', ...storePort],
    why: 'whether new jobs may come in is the same question for everybody and any store',
  },
  'confinement-check.ts': {
    may: ['errors.ts', 'text', 'job', 'settings', 'process'],
    why: 'what new jobs may ask for is the same question for everybody and any store',
  },
  'parents.ts': {
    may: ['errors.ts', 'job', ...storePort],
    why: 'what people call a job is looked up the same way in any store',
  },
  'paging.ts': {
    may: ['job', ...storePort],
    why: 'how far is looked for a page is the same question for any store',
  },
  'group-change.ts': {
    may: ['job', 'job-control.ts', ...storePort],
    why: 'jobs of a group are changed as those of any filter are',
  },
  'rerun.ts': {
    may: ['errors.ts', 'job', ...storePort],
    why: 'what belongs to a part of a flow is found the same way in any store',
  },
  'policy-check.ts': {
    may: ['errors.ts', 'access', 'job', 'settings', 'process', ...storePort],
    why: 'what may run is decided by src/job, and asked the same way of new jobs and of those about to start',
  },
  'webhook-check.ts': {
    may: ['errors.ts', 'job', 'settings', 'webhook'],
    why: 'a webhook is checked the same way wherever it is set',
  },
  'recipes.ts': {
    may: ['errors.ts', ...writing, 'job', ...storePort],
    why: 'what a recipe makes is decided by src/job, and looked up the same way in any store',
  },
  secrets: {
    may: ['errors.ts', 'place.ts', 'access', ...writing, 'job', ...storePort],
    why: 'what is sealed is opened in one place, whoever asks and wherever it is stored',
  },
  'intake.ts': {
    may: [
      'admission.ts',
      'confinement-check.ts',
      'policy-check.ts',
      'webhook-check.ts',
      'recipes.ts',
      'secrets',
      'parents.ts',
      'random.ts',
      'job',
      'schedule',
      'settings',
      ...storePort,
    ],
    why: 'new jobs are checked and stored the same way for everybody, from any place to any store',
  },
  'enqueue-once.ts': {
    may: ['errors.ts', 'intake.ts', 'job', ...storePort],
    why: 'that a request is done once is kept the same way in any store',
  },
  'groups.ts': engine,
  'named-queues.ts': engine,
  'schedules.ts': engine,
  'change-check.ts': engine,
  'setting-check.ts': engine,
  'job-control.ts': engine,
  'job-reading.ts': engine,
  'queue.ts': engine,
  report: answers,
  'move.ts': engine,
  transfer: engine,
  webhook: { may: [], why: 'what is sent where was decided before; delivering it knows nothing of queues' },
  cli: front,
  remote: { ...front, may: front.may.filter((name) => !['cli', 'mcp', 'server'].includes(name)) },
  library: { ...front, may: front.may.filter((name) => !['cli', 'mcp', 'remote'].includes(name)) },
  server: { ...front, may: front.may.filter((name) => !['cli', 'mcp', 'library', 'remote'].includes(name)) },
  mcp: { ...front, may: front.may.filter((name) => !['cli', 'library', 'remote'].includes(name)) },
};

/** Where a queue is used through its own methods alone. */
const facadeOnly = {
  parts: ['report', 'output/follow.ts', 'cli', 'server', 'mcp'],
  why: 'what a command, a report or a route needs of a queue is a method of Queue (src/queue.ts), with its contract',
};

/** `queue.store`, whatever the queue is called, and `const { store } = queue`. */
const REACHES_THROUGH = /\.store\b|\{[^{}]*\bstore\b[^{}]*\}\s*=[^>]/g;

const src = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..', 'src'));
const problems = sources().flatMap((file) => [...check(file), ...checkFacade(file)]);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

function sources(): string[] {
  const entries = fs.readdirSync(src, { recursive: true, encoding: 'utf8' });
  return entries.filter((name) => name.endsWith('.ts')).sort();
}

function check(file: string): string[] {
  const part = file.split(path.sep)[0] ?? file;
  const row = table[part];
  if (row === undefined) return [`src/${file}: has no place in the table of scripts/directions.ts yet`];
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
