// What was asked for is wrong or incomplete: nothing was changed.

import { kinds } from './kind.ts';

export const INPUT_ERRORS = () =>
  kinds(
    { exit: 2, http: 400 },
    {
      usage: { message: '{problem}', hint: '{hint}' },
      invalid_json: {
        message: 'this is not valid JSON: {problem}',
        hint: 'a job looks like \'{"command":"sleep 2"}\'; a plain command needs no braces: queuectl enqueue \'sleep 2\'',
      },
      invalid_job: { message: '{problem}', hint: '{hint}' },
      command_required: {
        message: 'a job needs a command: command required',
        hint: "queuectl enqueue 'sleep 2'",
      },
      invalid_filter: { message: '{problem}', hint: '{hint}' },
      invalid_range: { message: '{problem}', hint: '{hint}' },
      invalid_input: { message: '{where}: {problem}; nothing was enqueued', hint: '{hint}' },
      environment_too_large: {
        message: '{problem}, over the {most} that a job can be given; nothing was enqueued',
        hint: 'unset what is not needed, or run the job with the environment of its worker: --no-inherit-env',
      },
      stdin_too_large: {
        message: 'the standard input of a job can have {most} bytes, and this has more; nothing was enqueued',
        hint: 'put it in a file and let the command read that',
      },
      not_in_a_job: {
        message: "'queuectl {command}' works only inside a job, and this is not one",
        hint: '{hint}',
      },
      invalid_result: {
        message: 'this cannot be the result of a job: {problem}',
        hint: 'a result is JSON; put what is large into a file and its path into the result',
      },
      folder_missing: { message: "the folder '{path}' {problem}", hint: '{hint}' },
      folder_gone: { message: 'the current folder was removed{so}', hint: '{hint}' },
      unreadable_input: { message: "cannot read '{path}': {problem}", hint: '{hint}' },
      invalid_export: {
        message: "'{path}' cannot be imported: {problem}; nothing was imported",
        hint: '{hint}',
      },
      invalid_recipe: { message: '{problem}', hint: '{hint}' },
      invalid_secret: { message: '{problem}', hint: '{hint}' },
      secret_key_unusable: {
        message: "the key of the secrets in '{path}' cannot be used: {problem}",
        hint: '{hint}',
      },
      invalid_account: { message: '{problem}', hint: '{hint}' },
      unknown_setting: { message: "unknown setting '{key}'", hint: '{hint}' },
      invalid_setting: { message: '{problem}', hint: '{hint}' },
      invalid_schedule: { message: '{problem}', hint: '{hint}' },
      confirmation_needed: {
        message: 'this would {action}, and there is no terminal to ask on',
        hint: 'add --yes to do it',
      },
      ambiguous_id: {
        message: "'{prefix}' is the start of more than one {noun}: {matches}",
        hint: 'type a few more characters',
      },
      dependency_cycle: {
        message: 'these jobs would wait for each other forever: {path}; nothing was changed',
        hint: 'remove one of the dependencies, or retry fewer of the jobs',
      },
    },
  );
