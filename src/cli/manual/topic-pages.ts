// queuectl(5), the settings, job fields and filters; and queuectl(7), the concepts.

import { FILTER_FIELD_NAMES, FILTER_FIELDS } from '../../filter/fields.ts';
import { INPUT_RULES, type InputName } from '../../job/fields/fields.ts';
import { SETTING_KEYS, SETTINGS } from '../../settings/settings.ts';
import { CONCEPT_PAGE, FILE_PAGE, MAIN_PAGE } from './command-page.ts';
import { code, type ManualPage, sentence, type Term, terms, text } from './page.ts';

export const CONCEPTS: readonly Term[] = [
  ['job', 'a command, with everything needed to run it'],
  ['attempt', "one start of a job's command"],
  [
    'attempts',
    'starts since the job was enqueued or retried manually, without starts that a lost worker cut short: attempts of a job, number of an attempt, QUEUECTL_ATTEMPT',
  ],
  [
    'run, start counter',
    'number that identifies an attempt of a job: counts all starts, including lost ones (database column number)',
  ],
  ['queue', 'the database with all jobs; a named queue is a line of jobs in it'],
  [
    'group',
    'jobs that belong together. A group exists as long as it has jobs, and is finished when all of its jobs are',
  ],
  ['worker', 'a process that claims jobs and runs them'],
  ['slot', 'room for one running job in a worker; --concurrency sets the number'],
  ['weight', 'number of slots that a job takes'],
  ['service', 'a worker or server that systemd or launchd keeps running'],
  ['failed', 'state of a job whose last attempt failed and that will be retried'],
  ['dead', 'state of a job that has no retries left'],
  ['dead letter queue', 'all dead jobs: retry or delete them manually'],
  ['finished', 'state completed, dead or cancelled'],
  ['retry', 'run a job again manually, with attempts from 0'],
  ['automatic retry', 'the next attempt of a failed job, after its backoff'],
  ['requeue', 'return an unfinished job of a stopped or lost worker to the queue, without using up a retry'],
  ['interruption', 'the loss of a worker while it ran the job'],
  ['held', 'kept from starting until released, in the same state'],
  ['snooze', 'run a job again later because its command exited with the snooze_code'],
  ['dependency', 'a job or group that must finish before a job can start'],
  ['dependent', 'a job that waits for a dependency'],
  ['workflow', 'jobs that depend on each other'],
  ['key', 'concurrency key: jobs with the same key share slots'],
  ['unique key', 'prevents a second job with the same key from being enqueued'],
  ['filter', 'words such as state:dead that select jobs'],
  ['error fingerprint', 'identifies similar errors: err- and eight characters'],
  ['schedule', 'a rule that enqueues a job at given times'],
  ['scheduled run', 'one of the times of a schedule'],
  ['catch-up', 'rule for runs that were missed because no worker was running'],
  ['overlap', 'rule for a run that is due while the job of the previous run is unfinished'],
  ['hook', 'a command or webhook that runs when a job or group finishes'],
  ['progress', 'percentage and note that a running job reports'],
  ['result', 'JSON that a job stores for its dependents and for users'],
  ['output', 'the bytes that a job writes to stdout and stderr'],
  ['log', 'output of a job between START and END lines'],
  ['host', 'a machine that runs workers; QUEUECTL_HOST overrides its name'],
  ['export, import', 'write a queue or some of its jobs to a file, and read the file into a queue'],
  ['migrate', 'copy a whole queue to another database'],
  ['move', 'move jobs to another named queue'],
  ['resource limit', 'limit for the memory, CPU, processes or files of a job'],
  ['concurrency limit', 'maximum number of jobs that run at once'],
  ['sandbox', 'limits the files, network and variables that a job can access'],
  ['profile', 'definition of a sandbox'],
  ['policy', 'settings that decide which commands may run'],
  ['recipe', 'a command template with parameters'],
  ['secret', 'an encrypted value, such as a password, that jobs receive'],
  ['mask', 'replace secrets in output by ***'],
  ['job socket, job token', 'socket and token that give an isolated job access to its queue'],
  ['isolated job', 'a job in a sandbox or run as another user'],
  ['remote server', 'a queuectl serve that commands use with --server'],
];

export function filePage(): ManualPage {
  return {
    ...FILE_PAGE,
    summary: 'settings, job fields and filters of queuectl',
    sections: [
      {
        title: 'SETTINGS',
        content: [
          text(
            'Settings are stored in the database; running workers apply changes without a restart. ' +
              'A flag takes precedence over an environment variable, then the stored value, then the default.',
          ),
          code(['queuectl config set max_retries 5', 'QUEUECTL_MAX_RETRIES=5 queuectl enqueue ./build.sh']),
          terms(settingTerms()),
        ],
      },
      {
        title: 'JOB FIELDS',
        content: [
          text('Fields of a job in JSON, YAML and the HTTP API. Only command is required.'),
          code(['queuectl enqueue \'{"command": "make thumbnails", "max_retries": 5, "tags": ["photos"]}\'']),
          terms(fieldTerms()),
        ],
      },
      {
        title: 'FILTERS',
        content: [
          text(
            'Commands that list or change many jobs select them with words. Other text is searched in commands and IDs.',
          ),
          code(['queuectl retry --filter \'state:dead queue:mail error:"no such file" older:1d\'']),
          terms(FILTER_FIELD_NAMES.map((name) => [`${name}:`, sentence(FILTER_FIELDS[name].help)])),
        ],
      },
    ],
    seeAlso: [MAIN_PAGE, CONCEPT_PAGE],
  };
}

export function conceptPage(): ManualPage {
  return {
    ...CONCEPT_PAGE,
    summary: 'concepts of queuectl',
    sections: [
      {
        title: 'DESCRIPTION',
        content: [terms(CONCEPTS.map(([word, meaning]) => [word, sentence(meaning)]))],
      },
    ],
    seeAlso: [MAIN_PAGE, FILE_PAGE],
  };
}

const settingTerms = (): Term[] =>
  SETTING_KEYS.map((key) => {
    const { help, default: value, expected } = SETTINGS[key];
    return [key, `${sentence(help)} Default: ${value === null ? 'none' : value}. Accepts ${expected}.`];
  });

function fieldTerms(): Term[] {
  const names = Object.keys(INPUT_RULES) as InputName[];
  return names
    .filter((name) => !INPUT_RULES[name].input.isAlias)
    .sort()
    .map((name) => [name, sentence(INPUT_RULES[name].input.help)]);
}
