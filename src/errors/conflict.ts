// What is there stands in the way: an id that is taken, a job in another state.

import { kinds } from './kind.ts';

export const CONFLICT_ERRORS = () =>
  kinds(
    { exit: 4, http: 409 },
    {
      job_exists: {
        message: "job '{id}' already exists{where}",
        hint: 'choose another id or leave it out; queuectl show {id} shows the one there is',
      },
      schedule_exists: {
        message: "schedule '{name}' already exists{where}",
        hint: 'choose another name, or change the one there is: queuectl schedule edit {name}',
      },
      recipe_exists: {
        message: "recipe '{name}' already exists",
        hint: 'choose another name, or replace the one there is: --replace',
      },
      account_exists: {
        message: "there is a {noun} '{name}' already",
        hint: 'choose another name, or remove the one there is: queuectl {noun} remove {name}',
      },
      import_part_misplaced: {
        message: 'this part begins at byte {from}, but {received} bytes of the file have arrived',
        hint: 'parts come one after the other: send the one that begins there',
      },
      file_exists: {
        message: "'{path}' is there already; nothing was written",
        hint: 'choose another name, or replace it: --force',
      },
      service_not_ours: {
        message: "'{path}' is there, and queuectl has not written it; nothing was changed",
        hint: 'give the service another name with --name, or move the file away',
      },
      not_unique: {
        message: "there is a job with the unique key '{key}' already: {id}; nothing was enqueued",
        hint: 'queuectl show {id} shows it; --if-exists skip or replace allows for that',
      },
      wrong_state: { message: "job '{id}' is {state}: {verb} takes a job that is {allowed}", hint: '{hint}' },
      group_unfinished: {
        message: "group '{name}' has unfinished jobs: {count}; nothing was deleted",
        hint: 'wait for them: queuectl wait --group {name}; or add --cancel to end them first',
      },
      queue_draining: {
        message: "queue '{queue}' is being drained and takes no new jobs; nothing was enqueued",
        hint: 'queuectl queue resume {queue}',
      },
      not_held: {
        message: "job '{id}' is not held, so it cannot be released",
        hint: 'queuectl show {id} says what it waits for; queuectl hold {id} would hold it',
      },
      workers_running: {
        message: '{count} running: {action} would pull the queue from under them',
        hint: 'queuectl {options}worker stop{all} first{otherwise}',
      },
      queue_moving: {
        message: "a queue is being moved from or to '{path}'",
        hint: 'wait until queuectl migrate has ended, then start workers where the queue is',
      },
      target_not_empty: {
        message: "'{path}' holds jobs that are not part of this move, such as '{id}'; nothing was changed",
        hint: 'move to an empty place, or empty this one first: queuectl --db {path} reset',
      },
    },
  );
