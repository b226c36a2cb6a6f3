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
    'all starts of a job, including lost ones. run identifies an attempt within its job. In the tables attempts and outputs it is the column number',
  ],
  ['queue', 'the database with all jobs; a named queue is a line of jobs in it'],
  ['group', 'jobs that belong together. It exists as long as it has jobs, and has finished when all of them have'],
  ['worker', 'a process that claims jobs and runs them'],
  ['slot', 'room for one running job in a worker; --concurrency sets the number'],
  ['weight', 'number of slots that a job takes'],
  ['service', 'a worker or server that systemd or launchd keeps running'],
  ['failed', 'a state: the last attempt failed, and the job will be retried'],
  ['dead, dead letter queue', 'retries are used up; the job waits for a manual decision'],
  ['finished', 'completed, dead or cancelled'],
  ['retry', 'manual, with attempts from 0; an automatic retry follows a failed attempt after its backoff'],
  ['requeue', 'return a job to the queue that its worker will not finish; uses up no retry'],
  ['interruption', 'a worker was lost while it ran the job'],
  ['held', 'kept from starting until released; the state does not change'],
  ['snooze', 'the job asks, with an exit code, to run again later'],
  ['dependency, dependent', 'a job that must finish first; a job that waits for another'],
  ['workflow', 'jobs that depend on each other'],
  ['key', 'concurrency key: jobs with the same key share slots'],
  ['unique key', 'at most one job with this key is stored'],
  ['filter', 'words such as state:dead that select jobs'],
  ['error fingerprint', 'err- and eight characters: the same for similar errors'],
  ['schedule, scheduled run', 'creates jobs repeatedly; one time of a schedule'],
  ['catch-up, overlap', 'what happens to missed runs; to runs while an earlier job is unfinished'],
  ['hook', 'a command or webhook that runs when a job or group finishes'],
  ['progress, result', 'percentage and note of a running job; JSON that a job leaves for others'],
  ['output, log', 'bytes that a job wrote; output shown between START and END lines'],
  ['host', 'a machine that runs workers; QUEUECTL_HOST overrides its name'],
  ['export, import', 'a queue or some jobs to a file and back'],
  ['migrate, move', 'copy a whole queue to another database; move jobs to another named queue'],
  ['resource limit, concurrency limit', 'memory, CPU and so on; number of jobs at once'],
  ['sandbox, profile', 'what a job sees of the machine; its definition'],
  ['policy', 'settings that decide what may run'],
  ['recipe', 'a command template with parameters'],
  ['secret, mask', 'an encrypted value for jobs; hiding it in output as *'],
  ['job socket, job token', 'how an isolated job uses its queue'],
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
