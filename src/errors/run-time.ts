// Something that was asked for rightly failed on the way, or took too long.

import { kinds } from './kind.ts';

export const RUN_TIME_ERRORS = () =>
  kinds(
    { exit: 1, http: 500 },
    {
      worker_start_failed: { message: 'worker {id} did not start: {problem}', hint: 'its log: {log}' },
      worker_not_told: {
        message: 'the worker of this job cannot be told: {problem}',
        hint: 'the file that {variable} names has to be writable here; in a container it may be missing',
      },
      workers_still_running: {
        message: '{count} still running after {seconds} s',
        hint: 'wait longer, or stop their jobs and put them back: queuectl worker stop --force',
      },
      move_incomplete: {
        message: 'the two queues may differ after the move: {problem}',
        hint: 'somebody changed one of them meanwhile; nothing is lost in the old place: run it again',
      },
      unwritable_file: {
        message: "cannot write '{path}': {problem}",
        hint: 'check its folder and the room on its disk',
      },
      enqueue_incomplete: {
        message: '{jobs} jobs were enqueued, and nothing from {where} on: {problem}',
        hint: 'what was enqueued stays; enqueue the rest when that is fixed',
      },
      import_incomplete: {
        message: 'the import broke off after {jobs} jobs: {problem}',
        hint: 'what was imported is whole; run it again with --skip-existing to go on',
      },
      program_replaced: {
        message: "queuectl was upgraded while this ran: '{path}' is gone or from another build",
        hint: 'start it again; if that does not help, install queuectl again',
      },
      no_service_manager: {
        message: 'there is no {manager} here that could keep a service: {problem}',
        hint: '{hint}',
      },
      service_manager_failed: {
        message: '{command} failed: {problem}',
        hint: 'queuectl service status shows what is installed and running',
      },
      check_failed: { message: '{problem}', hint: '{hint}' },
      internal: {
        message: 'something went wrong inside queuectl: {problem}',
        hint: 'QUEUECTL_DEBUG=1 shows where; please report it',
      },
    },
  );

export const TIMEOUT_ERRORS = () =>
  kinds(
    { exit: 124, http: 504 },
    {
      wait_timeout: { message: 'not final after {seconds} s: {ids}', hint: '{hint}' },
    },
  );
