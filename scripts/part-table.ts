// Assigns modules to files outside main. main has what `enqueue` needs, the command that runs in loops.

import fs from 'node:fs';
import path from 'node:path';
import { type PartTable, USUAL } from './parts.ts';

const root = path.join(import.meta.dirname, '..');

/** Commands that users, scripts and jobs call often. */
const USUAL_COMMANDS = ['list', 'progress', 'result-get', 'result-set', 'show', 'status'];

/** Files of the SQLite store that `enqueue` needs. */
const SQLITE_IN_MAIN = [
  'connection', 'enqueue', 'environments', 'failures', 'insert-jobs', 'migrate', 'settings', 'startup', 'store', 'tally',
  'wake',
]; // biome-ignore format: a list of words

/**
 * Modules to load on demand, with everything they import that main does not need. Each is a file of src/ or a package
 * name. A module that main imports statically may export functions only; it is loaded on the first call.
 */
export const PARTS: PartTable = {
  [USUAL]: [
    ...USUAL_COMMANDS.map((name) => `src/cli/commands/${name}.ts`),
    ...files('src/store/shared/*.ts'),
    ...files('src/store/sqlite/*.ts', SQLITE_IN_MAIN),
    ...files('src/text/synonyms/*.ts'),
    'src/cli/command-name.ts',
    'src/cli/enqueue/job-stdin.ts',
    'src/cli/enqueue/too-large-notice.ts',
    'src/intake/enqueue-once.ts',
    'src/job/input/edit-input.ts',
    'src/job/fingerprint.ts',
    'src/job/record.ts',
    'src/process/tree/identity.ts',
    'src/queue/paging.ts',
    'src/report/reports.ts',
    'src/schedule/job-template.ts',
    'src/store/postgres/session/target.ts',
    'src/store/sql/job-filter.ts',
    'src/system/build.ts',
    'src/time/when.ts',
    'src/worker/control/view.ts',
  ],
  postgres: ['src/store/postgres/store.ts'],
  isolation: ['src/isolation/isolate.ts', 'src/isolation/sandbox/bubblewrap.ts'],
  policy: ['src/intake/policy-check.ts', 'src/queue/recipes.ts', 'src/intake/webhook-check.ts'],
  secrets: ['src/secrets/secrets.ts'],
  cron: ['croner'],
  'cron-words': ['cronstrue'],
  schema: ['src/store/sqlite/migrations/all.ts'],
  server: ['src/server/serve.ts', 'src/server/job-server/job-server.ts'],
  operations: ['src/server/local-call.ts'],
  mcp: ['src/mcp/serve.ts'],
  access: ['src/access/accounts.ts'],
  remote: ['src/remote/open-remote.ts'],
  tracing: ['src/tracing/tracer.ts'],
  yaml: ['src/flow/yaml.ts', 'src/cli/jobs/edit-document.ts'],
  commands: [
    ...files('src/cli/commands/*.ts', ['enqueue', ...USUAL_COMMANDS]),
    'src/cli/call.ts',
    'src/cli/enqueue/bulk.ts',
    'src/cli/enqueue/enqueue-wait.ts',
    'src/cli/enqueue/fan-out.ts',
    'src/cli/enqueue/workflow.ts',
    'src/cli/record.ts',
    'src/cli/manual/help.ts',
    'src/cli/render/help.ts',
    'src/queue/group-change.ts',
    'src/maintenance/prune.ts',
    'src/output/attempt-output.ts',
    'src/process/output/log-file.ts',
    'src/queue/rerun.ts',
    'src/report/graph.ts',
    ...files('src/report/metrics/*.ts'),
    'src/report/queues.ts',
    'src/transfer/transfers.ts',
    'src/worker/control/stop.ts',
    'src/queue/schedules.ts',
  ],
};

/** Parts for commands that serve clients or use a server, which bin/queuectl detects. */
export const SERVING = ['server', 'mcp', 'remote'];

/** Parts that a job with nothing but a command may load, depending on its queue and environment. */
export const FOR_PLAIN_JOBS = ['schema', 'policy', 'tracing'];

/** Returns the files that match, except those with these names. */
export function files(pattern: string, except: readonly string[] = []): string[] {
  const found = fs.globSync(pattern, { cwd: root });
  return found.filter((file) => !except.includes(path.basename(file, '.ts'))).sort();
}
