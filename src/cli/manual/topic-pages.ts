// queuectl(5), the settings, job fields and filters; and queuectl(7), the concepts.

import { FILTER_FIELD_NAMES, FILTER_FIELDS } from '../../filter/fields.ts';
import { INPUT_RULES, type InputName } from '../../job/fields/fields.ts';
import { SETTING_KEYS, SETTINGS } from '../../settings/settings.ts';
import { CONCEPT_PAGE, FILE_PAGE, MAIN_PAGE } from './command-page.ts';
import { CONCEPTS } from './concepts.ts';
import { code, type ManualPage, sentence, type Term, terms, text } from './page.ts';

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
