// A command reads only the options that it declares, each by its kind: everything else does not compile. `npm run types` checks the
// lines that expect an error.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Command, type Context, eachOption, type OptionSpecs } from '../../src/cli/command.ts';
import { YES } from '../../src/cli/confirm.ts';
import { JOB_OPTIONS } from '../../src/cli/options/job-options.ts';
import { parseLine } from '../../src/cli/options/options.ts';

const OPTIONS = {
  name: { kind: 'text', help: 'a name' },
  limit: { kind: 'integer', help: 'a number' },
  tag: { kind: 'text', many: true, help: 'a tag (repeatable)' },
  key: { kind: 'text', optional: { insteadOfArgument: [] }, help: 'a key, which may be left out' },
  ...YES,
} satisfies OptionSpecs;

const COMMAND: Command<typeof OPTIONS> = {
  name: 'example',
  purpose: 'look',
  summary: 'an example',
  usage: [''],
  options: OPTIONS,
  examples: [],
  run: async () => ({}),
};

const { options }: { options: Context<typeof OPTIONS>['options'] } = parseLine(
  COMMAND,
  '--name a --limit 5 --tag b --tag c --yes --db x'.split(' '),
);

test('a command reads the options that it declares and the global options', () => {
  assert.deepEqual([options.text('name'), options.text('db'), options.number('limit')], ['a', 'x', 5]);
  assert.deepEqual([options.all('tag'), options.has('yes'), options.has('key')], [['b', 'c'], true, false]);
  assert.deepEqual(options.pick('limit', 'tag', 'other'), { limit: 5, tag: ['b', 'c'] });
});

test('reading an unknown option or an option as another type does not compile', () => {
  const unexpected = [
    // @ts-expect-error the command has no such option
    options.text('typo'),
    // @ts-expect-error the command has no such option
    options.has('typo'),
    // @ts-expect-error a number
    options.text('limit'),
    // @ts-expect-error a flag
    options.text('yes'),
    // @ts-expect-error several texts
    options.text('tag'),
    // @ts-expect-error the value may be left out
    options.text('key'),
    // @ts-expect-error a text
    options.number('name'),
    // @ts-expect-error a single text
    options.all('name'),
  ];
  assert.equal(unexpected.length, 8);
});

test('a function accepts the options of any command that has the needed ones', () => {
  const hidden = eachOption(OPTIONS, { hidden: true });
  const isAgreed = ({ has }: Context<typeof YES>['options']): boolean => has('yes');
  const limitOf = ({ number }: Context<typeof hidden>['options']): number | undefined => number('limit');
  const databaseOf = ({ text }: Context['options']): string | undefined => text('db');
  const nameOf = ({ text }: Context<typeof JOB_OPTIONS>['options']): string | undefined => text('name');
  assert.deepEqual([isAgreed(options), limitOf(options), databaseOf(options)], [true, 5, 'x']);
  // @ts-expect-error the command lacks most options of a job
  assert.equal(nameOf(options), 'a');
});

test('options of job fields are typed by the field table', () => {
  const job: Context<typeof JOB_OPTIONS>['options'] = parseLine({ ...COMMAND, options: JOB_OPTIONS }, [
    ...['--group', 'g', '--priority', '3', '--after', 'a', '--secret', 'S', '--timeout', '5m'],
  ]).options;
  assert.deepEqual([job.text('group'), job.number('priority')], ['g', 3]);
  assert.deepEqual([job.all('secret'), job.number('timeout')], [['S'], 300]);
  // @ts-expect-error a number
  assert.equal(job.text('priority'), 3);
  // @ts-expect-error the option is called --param
  assert.equal(job.has('params'), false);
});
