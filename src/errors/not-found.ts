// What was asked about is not there.

import { kinds } from './kind.ts';

export const NOT_FOUND_ERRORS = () =>
  kinds(
    { exit: 3, http: 404 },
    {
      job_not_found: { message: "job '{id}' not found", hint: 'queuectl list shows the jobs there are' },
      unknown_dependency: {
        message: "there is no {noun} '{parent}' to wait for; nothing was enqueued",
        hint: '{hint} shows what there is',
      },
      group_not_found: {
        message: "there is no group '{name}'",
        hint: 'queuectl group list shows the groups there are',
      },
      attempt_not_found: {
        message: "job '{id}' has no attempt {number}",
        hint: 'queuectl show {id} lists its attempts',
      },
      no_result: { message: "job '{id}' has no result{why}", hint: '{hint}' },
      worker_not_found: {
        message: "worker '{id}' not found",
        hint: 'queuectl worker list shows the workers there are',
      },
      import_not_found: {
        message: "no file '{id}' is being uploaded; nothing was imported",
        hint: 'the server was started again, or nothing has come for too long: send it again',
      },
      recipe_not_found: { message: "there is no recipe '{name}'", hint: '{hint}' },
      secret_not_found: { message: "there is no secret '{name}'", hint: '{hint}' },
      schedule_not_found: { message: "schedule '{name}' not found", hint: '{hint}' },
      account_not_found: {
        message: "there is no {noun} '{name}'",
        hint: 'queuectl {noun} list shows what there is',
      },
      service_not_found: {
        message: 'no such service is installed{where}: {service}',
        hint: 'queuectl service status shows those that are; queuectl service install {service}',
      },
      sandbox_not_found: {
        message: "there is no sandbox '{name}' of your own",
        hint: 'queuectl sandbox list shows what there is',
      },
      queue_not_found: {
        message: "there is no queue at '{path}'",
        hint: 'check --db and QUEUECTL_DB; to create a queue there, run: queuectl init --db {path}',
      },
      host_not_found: { message: "no worker runs on host '{host}'", hint: '{hint}' },
    },
  );
