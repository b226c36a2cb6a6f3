// Failures and timeouts of valid requests.

import { kinds } from './kind.ts';

export const RUN_TIME_ERRORS = () =>
  kinds(
    { exit: 1, http: 500 },
    {
      worker_start_failed: {
        message: 'worker {id} did not start: {problem}',
        hint: 'read the worker log: {log}',
      },
      worker_not_told: {
        message: 'cannot reach the worker of this job: {problem}',
        hint: 'make the file named by {variable} writable; in a container, mount it',
      },
      workers_still_running: {
        message: '{count} still running after {seconds} s',
        hint: 'wait longer, or stop their jobs and requeue them: queuectl worker stop --force',
      },
      move_incomplete: {
        message: 'the databases may differ after the migration: {problem}',
        hint: 'one of the databases changed during the migration; the source is unchanged, so run the command again',
      },
      unwritable_file: {
        message: "cannot write '{path}': {problem}",
        hint: 'check that the directory exists and that its disk has free space',
      },
      enqueue_incomplete: {
        message: '{jobs} jobs enqueued, none from {where} on: {problem}',
        hint: 'fix the problem, then enqueue the rest; the enqueued jobs are kept',
      },
      import_incomplete: {
        message: 'import interrupted after {jobs} jobs: {problem}',
        hint: 'resume with: queuectl import --skip-existing; the imported jobs are complete',
      },
      program_replaced: {
        message: "queuectl was upgraded while this command ran: '{path}' is missing or belongs to another build",
        hint: 'run the command again; if it fails again, reinstall queuectl',
      },
      no_service_manager: {
        message: '{manager} is not available: {problem}',
        hint: '{hint}',
      },
      service_manager_failed: {
        message: '{command} failed: {problem}',
        hint: 'check the installed services: queuectl service status',
      },
      check_failed: { message: '{problem}', hint: '{hint}' },
      internal: {
        message: 'internal error: {problem}',
        hint: 'set QUEUECTL_DEBUG=1 for a stack trace, and please report the error',
      },
    },
  );

export const TIMEOUT_ERRORS = () =>
  kinds(
    { exit: 124, http: 504 },
    {
      wait_timeout: { message: 'not finished after {seconds} s: {ids}', hint: '{hint}' },
    },
  );
