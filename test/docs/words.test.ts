// The words of help, settings and errors: no home-made terms, no riddles, no long sentences.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allCommands } from '../../src/cli/registry.ts';
import { errorKinds } from '../../src/errors/errors.ts';
import { FILTER_FIELDS } from '../../src/filter/fields.ts';
import { TRANSITIONS } from '../../src/job/lifecycle.ts';
import { WAIT_REASONS } from '../../src/report/waiting/wait.ts';
import { SETTINGS } from '../../src/settings/settings.ts';

interface Text {
  readonly where: string;
  readonly text: string;
}

/** Each word or phrase to avoid, with the one to use instead. */
const AVOIDED: readonly (readonly [RegExp, string])[] = [
  [/\b(no|some|any|every)body\b/i, 'user, client or process'],
  [/\bticks?\b/i, 'scheduled run'],
  [/\b(is|are|was|were|be|being|been|has|have) ended\b|\bends? (it|them|the job|jobs|what)\b/i, 'stop or finish'],
  [/\b(put|puts|give|gives|given) (it |them |jobs )?back\b/i, 'requeue'],
  [/\bby (itself|themselves)\b/i, 'automatically'],
  [/\b(waits?|waited) for (it|others|other jobs|another)\b|\bwhat waits\b/i, 'depends on, dependents'],
  [/\bdead letters\b|\b(died?|dies) of\b/i, 'dead jobs, failed with'],
  [/\b(a|the|this|another|old|new|right) place\b/i, 'database, location or slot'],
  [/\bstores?'? (has|is|cannot|itself)\b|\bthe store\b/i, 'database'],
  [/\brefus(e|es|ed|ing)\b/i, 'reject'],
  [/\b(let|lets|gets?) (you |them |others |anyone )?in\b/i, 'allow, authenticate'],
  [/\bfolders?\b/i, 'directory'],
  [/\bof (its|your|their) own\b/i, 'custom or separate'],
  [/\b(behind|beside|besides)\b/i, 'after, next to'],
  [/\bso many\b|\bat the most\b|\band its like\b|\ball the same\b/i, 'up to N, similar'],
  [/\bsigns? of life\b/i, 'heartbeat'],
  [/\b(is|are|was) not (known|there|said)\b|\bthere (is|are) no\b|\bwhat there is\b/i, 'unknown, unset, not found'],
  [/\bwhat (became|nobody|was|is|it|they)\b|\bwhoever\b/i, 'the noun'],
  [/\bthe same (again|when|of|in|as a|without)\b|\band this key\b/i, 'the full text'],
  [/\b(goes?|go|going) on\b/i, 'continue, resume'],
  [
    /\b(server|queue|job|program|setting|worker)s? (knows?|says?|tells?|believes?|hears?|wants?)\b/i,
    'supports, reports',
  ],
  [/\b(a|the) person\b/i, 'user'],
  [/\bcontrol groups?\b/i, 'cgroup'],
  [/\bof root\b/i, 'running as root'],
  [/\bsealed\b/i, 'encrypted'],
];

/** A word that a user types, or a term of another program, is not ours to choose. */
const EXCEPTIONS: readonly RegExp[] = [
  /\b(nobody|everybody)\b(?=,|$)/, // values of the setting policy_recipes_only
  /\bpolicy_folders\b/, // the key of a setting
  /\brejected?$/, // values of the settings policy_shell and run_as_root
  /--ticks/, // an option
];

const LONGEST_SENTENCE = 25;

const helpTexts = async (): Promise<Text[]> =>
  (await allCommands()).flatMap(({ name, summary, options = {}, examples, notes = [] }) => [
    { where: `queuectl ${name}: summary`, text: summary },
    ...Object.entries(options).map(([option, { help }]) => ({
      where: `queuectl ${name} --${option}`,
      text: help,
    })),
    ...examples.map(([line, text]) => ({ where: `example '${line}'`, text })),
    ...notes.map((text) => ({ where: `queuectl ${name}: note`, text })),
  ]);

const settingTexts = (): Text[] =>
  Object.entries(SETTINGS).flatMap(([key, { help, expected }]) => [
    { where: `setting ${key}`, text: help },
    { where: `setting ${key}: expected`, text: expected },
  ]);

const errorTexts = (): Text[] =>
  Object.entries(errorKinds()).flatMap(([code, { message, hint = '' }]) => [
    { where: `error ${code}`, text: message },
    { where: `error ${code}: hint`, text: hint },
  ]);

const tableTexts = (): Text[] => [
  ...Object.entries(WAIT_REASONS).map(([reason, text]) => ({ where: `reason ${reason}`, text })),
  ...Object.entries(FILTER_FIELDS).map(([field, { help }]) => ({ where: `filter ${field}`, text: help })),
  ...Object.entries(TRANSITIONS).map(([event, { help }]) => ({ where: `event ${event}`, text: help })),
];

const withoutExceptions = (text: string): string =>
  EXCEPTIONS.reduce((rest, pattern) => rest.replaceAll(new RegExp(pattern, 'g'), ''), text);

const avoidedIn = ({ where, text }: Text): string[] =>
  AVOIDED.flatMap(([pattern, instead]) => {
    const [found] = pattern.exec(withoutExceptions(text)) ?? [];
    return found === undefined ? [] : [`${where}: '${found}' (write: ${instead}) in '${text}'`];
  });

const sentencesIn = (text: string): string[] => text.split(/(?<=[.;:!?])\s+|\n/);
const wordsIn = (sentence: string): number => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length;

describe('the words of help, settings and errors', () => {
  test('follow the glossary', async () => {
    const texts = [...(await helpTexts()), ...settingTexts(), ...errorTexts(), ...tableTexts()];
    assert.ok(texts.length > 500, `only ${texts.length} texts were collected`);
    assert.deepEqual(texts.flatMap(avoidedIn), []);
  });

  test('make short sentences', async () => {
    const texts = [...(await helpTexts()), ...settingTexts(), ...errorTexts()];
    const long = texts.flatMap(({ where, text }) =>
      sentencesIn(text)
        .filter((sentence) => wordsIn(sentence) > LONGEST_SENTENCE)
        .map((sentence) => `${where}: ${sentence}`),
    );
    assert.deepEqual(long, []);
  });

  test('start with a word, not with a question or a pronoun', async () => {
    const texts = [...(await helpTexts()), ...settingTexts(), ...errorTexts()];
    const headless = texts.filter(({ text }) => /^(who|whom|what|which|it|its|they|those|and|of) /i.test(text));
    assert.deepEqual(
      headless.map(({ where, text }) => `${where}: ${text}`),
      [],
    );
  });
});
