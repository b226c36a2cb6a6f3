// Objects that were not found.

import { kinds } from './kind.ts';

export const NOT_FOUND_ERRORS = () =>
  kinds(
    { exit: 3, http: 404 },
    {
      job_not_found: { message: "job '{id}' not found", hint: 'list the jobs: queuectl list' },
      unknown_dependency: {
        message: "dependency not found: {noun} '{parent}'; nothing was enqueued",
        hint: 'list the candidates: {hint}',
      },
      group_not_found: {
        message: "group '{name}' not found",
        hint: 'list the groups: queuectl group list',
      },
      attempt_not_found: {
        message: "job '{id}' has no attempt {number}",
        hint: 'list the attempts: queuectl show {id}',
      },
      no_result: { message: "job '{id}' has no result{why}", hint: '{hint}' },
      worker_not_found: {
        message: "worker '{id}' not found",
        hint: 'list the workers: queuectl worker list',
      },
      import_not_found: {
        message: "upload '{id}' not found; nothing was imported",
        hint: 'the server restarted or the upload expired; send the file again',
      },
      recipe_not_found: { message: "recipe '{name}' not found", hint: '{hint}' },
      secret_not_found: { message: "secret '{name}' not found", hint: '{hint}' },
      schedule_not_found: { message: "schedule '{name}' not found", hint: '{hint}' },
      account_not_found: {
        message: "{noun} '{name}' not found",
        hint: 'list the {noun}s: queuectl {noun} list',
      },
      service_not_found: {
        message: "service '{service}' is not installed{where}",
        hint: 'list the installed services: queuectl service status; or install this one: queuectl service install {service}',
      },
      sandbox_not_found: {
        message: "custom sandbox '{name}' not found",
        hint: 'list the sandboxes: queuectl sandbox list',
      },
      queue_not_found: {
        message: "no queue found at '{path}'",
        hint: 'check --db and QUEUECTL_DB, or create the queue: queuectl init --db {path}',
      },
      host_not_found: { message: "no worker is running on host '{host}'", hint: '{hint}' },
    },
  );
