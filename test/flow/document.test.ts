import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jobsOf } from '../../src/flow/document.ts';
import { readYaml } from '../../src/flow/yaml.ts';
import { rejected } from '../support/rejection.ts';

const jobs = (text: string) => jobsOf(readYaml(text));

const FLOW = `
group: nightly
defaults:
  queue: etl
  max_retries: 1
jobs:
  - name: extract
    command: ./extract.sh
  - name: load
    command: [psql, -f, load.sql]
    after: [extract]
    max_retries: 5
`;

describe('a workflow document', () => {
  it('gives every job the group and the defaults, unless the job overrides them', () =>
    assert.deepEqual(
      jobs(FLOW).map(({ fields }) => fields),
      [
        { group: 'nightly', queue: 'etl', max_retries: 1, name: 'extract', command: './extract.sh' },
        {
          group: 'nightly',
          queue: 'etl',
          max_retries: 5,
          name: 'load',
          command: ['psql', '-f', 'load.sql'],
          after: ['extract'],
        },
      ],
    ));

  it('records the line of each job', () =>
    assert.deepEqual(
      jobs(FLOW).map(({ name, where }) => [name, where]),
      [
        ['extract', 'line 7'],
        ['load', 'line 9'],
      ],
    ));

  it('may have its jobs as an object of names, and a bare command is a job', () =>
    assert.deepEqual(
      jobs('jobs:\n  a: make a\n  b:\n    command: make b\n    after: a\n').map(({ name, fields }) => [name, fields]),
      [
        ['a', { name: 'a', command: 'make a' }],
        ['b', { name: 'b', command: 'make b', after: 'a' }],
      ],
    ));

  it('may be JSON', () =>
    assert.deepEqual(jobs('{"jobs":{"a":{"command":"x"}}}')[0]?.fields, { name: 'a', command: 'x' }));

  it('may be a list of jobs, or a single one', () => {
    assert.deepEqual(
      jobs('- command: a\n- command: b\n').map(({ where }) => where),
      ['line 1', 'line 2'],
    );
    assert.deepEqual(
      jobs('command: a\n').map(({ fields }) => fields),
      [{ command: 'a' }],
    );
  });

  it('accepts a camelCase field for its snake_case default', () =>
    assert.deepEqual(jobs('defaults: {max_retries: 1}\njobs: {a: {command: x, maxRetries: 2}}')[0]?.fields, {
      name: 'a',
      command: 'x',
      maxRetries: 2,
    }));

  const wrong: readonly (readonly [string, string, RegExp])[] = [
    ['a field that a flow does not have', 'job: []\njobs: []\ngrup: x\n', /line 1: unknown workflow field 'job'/],
    ['two jobs of one name in a map', 'jobs:\n  a: x\n  b: y\n  a: z\n', /line 4: duplicate key 'a'/],
    ['broken YAML, with its line', 'jobs:\n  - name: [a\n', /line \d: invalid YAML/],
    ['a job that is no object', 'jobs:\n  - 5\n', /line 2: a job must be an object/],
    ['jobs that are no list', 'jobs: 5\n', /line 1: 'jobs' must be a list/],
    ['defaults that are no object', 'defaults: 5\njobs: []\n', /line 1: 'defaults' must be an object/],
    ['a job with two names', 'jobs:\n  a: {name: b, command: x}\n', /line 2: job 'a' has a different name field: 'b'/],
    ['two documents in one file', 'jobs: []\n---\njobs: []\n', /line \d: invalid YAML/],
    ['an alias that grows without bound', bomb(), /invalid YAML/],
  ];
  for (const [what, text, says] of wrong) {
    it(`is rejected for ${what}`, () => assert.match(rejected('invalid_input', () => jobs(text)).message, says));
  }
});

function bomb(): string {
  const levels = [...'abcdefghi'].map((name, i, all) => {
    const inner = i === 0 ? 'x' : `*${all[i - 1]}`;
    return `${name}: &${name} [${Array(9).fill(inner).join(', ')}]`;
  });
  return `${levels.join('\n')}\njobs: *i\n`;
}
