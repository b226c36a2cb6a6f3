// Invalid or incomplete input: nothing was changed.

import { kinds } from './kind.ts';

export const INPUT_ERRORS = () =>
  kinds(
    { exit: 2, http: 400 },
    {
      usage: { message: '{problem}', hint: '{hint}' },
      invalid_json: {
        message: 'invalid JSON: {problem}',
        hint: 'write a job as \'{"command":"sleep 2"}\', or pass a plain command: queuectl enqueue \'sleep 2\'',
      },
      invalid_job: { message: '{problem}', hint: '{hint}' },
      command_required: {
        message: 'command required: a job needs a command',
        hint: "pass a command: queuectl enqueue 'sleep 2'",
      },
      invalid_filter: { message: '{problem}', hint: '{hint}' },
      invalid_range: { message: '{problem}', hint: '{hint}' },
      invalid_input: { message: '{where}: {problem}; nothing was enqueued', hint: '{hint}' },
      environment_too_large: {
        message: '{problem}, more than the limit of {most}; nothing was enqueued',
        hint: 'unset unneeded variables, or run the job in the environment of its worker: --no-inherit-env',
      },
      stdin_too_large: {
        message: 'the standard input is larger than the limit of {most} bytes; nothing was enqueued',
        hint: 'write the input to a file and let the command read the file',
      },
      not_in_a_job: {
        message: "'queuectl {command}' works only inside a running job",
        hint: '{hint}',
      },
      invalid_result: {
        message: 'invalid job result: {problem}',
        hint: 'pass JSON; write large data to a file and set the path as the result',
      },
      folder_missing: { message: "directory '{path}' {problem}", hint: '{hint}' },
      folder_gone: { message: 'the current directory no longer exists{so}', hint: '{hint}' },
      unreadable_input: { message: "cannot read '{path}': {problem}", hint: '{hint}' },
      invalid_export: {
        message: "cannot import '{path}': {problem}; nothing was imported",
        hint: '{hint}',
      },
      invalid_recipe: { message: '{problem}', hint: '{hint}' },
      invalid_secret: { message: '{problem}', hint: '{hint}' },
      secret_key_unusable: {
        message: "cannot use the secrets key file '{path}': {problem}",
        hint: '{hint}',
      },
      invalid_account: { message: '{problem}', hint: '{hint}' },
      unknown_setting: { message: "unknown setting '{key}'", hint: '{hint}' },
      invalid_setting: { message: '{problem}', hint: '{hint}' },
      invalid_schedule: { message: '{problem}', hint: '{hint}' },
      confirmation_needed: {
        message: 'this command would {action} and requires confirmation, but stdin is not a terminal',
        hint: 'add --yes to confirm',
      },
      ambiguous_id: {
        message: "'{prefix}' matches more than one {noun}: {matches}",
        hint: 'use a longer prefix',
      },
      dependency_cycle: {
        message: 'dependency cycle: {path}; nothing was changed',
        hint: 'remove one of the dependencies, or retry fewer jobs',
      },
    },
  );
