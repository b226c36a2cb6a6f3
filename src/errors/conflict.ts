// Conflicts with existing data: for example an ID that exists, or a job in another state.

import { kinds } from './kind.ts';

export const CONFLICT_ERRORS = () =>
  kinds(
    { exit: 4, http: 409 },
    {
      job_exists: {
        message: "job '{id}' already exists{where}",
        hint: 'choose another ID or omit it; show the existing job: queuectl show {id}',
      },
      schedule_exists: {
        message: "schedule '{name}' already exists{where}",
        hint: 'choose another name, or change the existing schedule: queuectl schedule edit {name}',
      },
      recipe_exists: {
        message: "recipe '{name}' already exists",
        hint: 'choose another name, or replace the existing recipe with --replace',
      },
      account_exists: {
        message: "{noun} '{name}' already exists",
        hint: 'choose another name, or delete the existing {noun}: queuectl {noun} delete {name}',
      },
      import_part_misplaced: {
        message: 'the part starts at byte {from}, but the server has received {received} bytes',
        hint: 'send the parts in order; next: the part that starts at byte {received}',
      },
      file_exists: {
        message: "file '{path}' already exists; nothing was written",
        hint: 'choose another name, or use --force to overwrite the file',
      },
      service_not_ours: {
        message: "file '{path}' exists and was not written by queuectl; nothing was changed",
        hint: 'choose another service name with --name, or move the file',
      },
      not_unique: {
        message: "job {id} already has the unique key '{key}'; nothing was enqueued",
        hint: 'show the job: queuectl show {id}; or use --if-exists skip or --if-exists replace',
      },
      wrong_state: {
        message: "job '{id}' is {state}; {verb} requires a job that is {allowed}",
        hint: '{hint}',
      },
      group_unfinished: {
        message: "group '{name}' has unfinished jobs: {count}; nothing was deleted",
        hint: 'wait for the group: queuectl wait --group {name}; or add --cancel to cancel these jobs first',
      },
      queue_draining: {
        message: "queue '{queue}' is draining and accepts no new jobs; nothing was enqueued",
        hint: 'resume the queue: queuectl queue resume {queue}',
      },
      not_held: {
        message: "job '{id}' is not held; release requires a held job",
        hint: 'find out why the job is waiting: queuectl why {id}',
      },
      workers_running: {
        message: '{count} running; {action} requires stopped workers',
        hint: 'stop the workers first: queuectl {options}worker stop{all}{otherwise}',
      },
      queue_moving: {
        message: "a migration from or to '{path}' is in progress",
        hint: 'wait until `queuectl migrate` finishes, then start workers on the target database',
      },
      target_not_empty: {
        message: "target '{path}' already contains other jobs, for example '{id}'; nothing was changed",
        hint: 'migrate to an empty database, or delete all jobs in this one first: queuectl --db {path} reset',
      },
    },
  );
