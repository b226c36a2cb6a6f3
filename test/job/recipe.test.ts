// From a recipe and its parameters to a command, and what is rejected on the way.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkedRecipe, fillRecipe } from '../../src/job/isolation/recipe.ts';
import { rejected } from '../support/rejection.ts';

const made = (command: readonly string[], params: Record<string, string>, cwd: string | null = '/srv/shop') =>
  fillRecipe(checkedRecipe('r', command), params, cwd).command;
const wrong = (command: readonly string[], params: Record<string, string>): string =>
  rejected('invalid_job', () => made(command, params)).message;

test('parameters are inserted into the words that contain them', () => {
  assert.deepEqual(
    made(['convert', '{in:path}', '-resize', '{w:int}x{h:int=10}', '--tag={tag}', '{w}'], {
      in: 'a b.png',
      w: '5',
      tag: '',
    }),
    ['convert', 'a b.png', '-resize', '5x10', '--tag=', '5'],
  );
});

test('unknown names in braces stay as they are, and double braces are one brace', () => {
  assert.deepEqual(made(['awk', '{print $1}', '{}', '{"a":{"b":1}}', '{{x}', '{'], {}), [
    'awk', '{print $1}', '{}', '{"a":{"b":1}}', '{x}', '{',
  ]); // biome-ignore format: one line
});

test('a value stays one word, whatever it contains', () => {
  for (const value of ['; rm -rf /', '$(id)', '`id`', "'", '"', 'a\nb', '🎉', '*', '&& x', '{size:int}', '\\'])
    assert.deepEqual(made(['echo', 'x{v}'], { v: value }), ['echo', `x${value}`]);
  assert.match(wrong(['echo', '{v}'], { v: 'a\0b' }), /cannot be passed to a program/);
});

test('a value never becomes an option', () => {
  assert.match(wrong(['rm', '{f:path}'], { f: '-rf' }), /looks like an option/);
  assert.match(wrong(['echo', '{v}'], { v: '--help' }), /looks like an option/);
  assert.match(wrong(['echo', '{v}{w}'], { v: '', w: '-x' }), /looks like an option/);
  for (const n of ['-5', '-0']) assert.match(wrong(['head', '{n:int}'], { n }), /at least 0/);
  assert.deepEqual(made(['echo', '--', '{v}'], { v: '-x' }), ['echo', '--', '-x']);
  assert.deepEqual(made(['echo', '{n:int(-9..9)}'], { n: '-5' }), ['echo', '-5']);
  assert.deepEqual(made(['echo', 'a{v}'], { v: '-x' }), ['echo', 'a-x']);
});

describe('types', () => {
  const takes = (parameter: string, value: string): boolean => {
    try {
      made(['echo', `{v:${parameter}}`], { v: value });
      return true;
    } catch {
      return false;
    }
  };
  const table: Record<string, { good: string[]; bad: string[] }> = {
    int: { good: ['0', '42'], bad: ['', '1.5', '1e3', 'x', ' 1', '1\n', '0x10'] },
    'int(1..10)': { good: ['1', '10'], bad: ['0', '11'] },
    'int(..3)': { good: ['-7', '3'], bad: ['4'] },
    number: { good: ['1.5', '2'], bad: ['.5', '1e3', 'NaN', 'Infinity'] },
    'choice(fast,slow)': { good: ['fast'], bad: ['', 'fas', 'fast,slow'] },
    'string([a-z]{2,3})': { good: ['ab', 'abc'], bad: ['a', 'abcd', 'ab\n', 'AB'] },
    path: { good: ['a', './-x', '/etc/x', '../up'], bad: ['', '-x'] },
    'path(.)': { good: [], bad: ['a', '/srv/shop/x', '/etc/passwd'] },
    'path(/srv/shop)': {
      good: ['a', 'a/b', '/srv/shop/x'],
      bad: ['../x', '/etc/passwd', 'a/../b', '/srv/shopx'],
    },
    'path(/srv/in)': { good: ['/srv/in/x'], bad: ['a', '/srv/inx', '/srv/in/../x'] },
  };
  for (const [parameter, { good, bad }] of Object.entries(table))
    test(parameter, () => {
      for (const value of good) assert.ok(takes(parameter, value), `${value} is good`);
      for (const value of bad) assert.ok(!takes(parameter, value), `${JSON.stringify(value)} is bad`);
    });
});

test('a value that no program can receive, or that takes long to match, is rejected', () => {
  const long = 'a'.repeat(128 * 1024);
  for (const parameter of ['{x}', '{x:path}', '{x:string([a-z]+)}'])
    assert.match(wrong(['echo', parameter], { x: long }), /is longer than 128 KiB/);
  assert.equal(made(['echo', '{x:string([a-z]+)}'], { x: long.slice(1) })[1]?.length, long.length - 1);
  assert.match(
    wrong(['echo', '{x:string(.*a.*a.*a.*a.*a)}'], { x: long.slice(1) }),
    /must have at most \d+ characters to match/,
  );
});

test('a missing and an unknown parameter are named', () => {
  assert.match(wrong(['echo', '{size:int}'], {}), /missing parameter 'size'/);
  const error = rejected('invalid_job', () => made(['echo', '{size:int}'], { sise: '1' }));
  assert.match(`${error.message} ${error.hint}`, /no parameter 'sise'.*did you mean 'size'/);
  assert.match(wrong(['echo', '{a}'], { constructor: 'x' }), /no parameter 'constructor'/);
});

test('a recipe whose parameter could be a program or a script is rejected', () => {
  for (const command of [
    ['{p}', 'x'],
    ['sh', '-c', 'echo {x}'],
    ['/bin/bash', '-euc', '{x}'],
    ['env', 'A=1', 'sh', '-c', 'echo {x:int}'],
    ['python3', '-c', 'print({x:int})'],
    ['perl', '-ne', 'print "{x}"'],
    ['node', '-e', '{x}'],
    ['node', '--eval={x}'],
    ['node', '-p{x}'],
    ['node', '{x}'],
    ['python3', '-u', '{x:path}'],
    ['env', '{x}'],
    ['env', 'A=1', '{x}'],
    ['env', 'A={x}', 'make'],
    ['nohup', '{x}'],
    ['xargs', '{x}'],
    ['xargs', '-n', '1', '{x}'],
    ['/usr/bin/timeout', '5', 'nice', '{x}'],
    ['sudo', '-u', 'x', 'env', '{x}'],
  ])
    assert.throws(() => checkedRecipe('r', command), { code: 'invalid_recipe' }, command.join(' '));
  for (const command of [
    ['sh', '-c', 'echo "$1"', 'sh', '{x}'],
    ['timeout', '60', 'convert', '{x:path}'],
    ['nice', '-n', '{n:int}', 'convert', '{x}'],
    ['env', 'A=1', 'convert', '{x}'],
    ['env', '{p:choice(true,false)}'],
    ['python3', '/srv/report.py', '{x}'],
    ['python3', '{x:path(/srv/scripts)}'],
  ])
    checkedRecipe('r', command);
});

test('a recipe that runs its parameter through another program is rejected', () => {
  for (const command of [
    'env {x}', 'env -i A=1 {x}', 'env -S {x}', 'env --split-string={x}', 'nohup {x}', 'xargs {x}', 'xargs -I % {x}',
    'nice -n 5 {x}', 'timeout 5 {x}', 'timeout {n:int} {x}', 'sudo -u bob {x}', 'sudo -u bob -- {x}', 'sudo {x:path}',
    'env nice {x}', 'env -u A -- {x}', 'setsid ./{x}', 'su bob -c {x}', 'ssh host ls {x}', 'watch {x}', 'busybox {x}',
    'find . -exec {x} ;', 'find {d:path} -name x -execdir env {x} ;', 'node --eval={x}', 'node -e{x}', 'node {f:path}',
    'node --import={x} a.js', 'node -r {x} a.js', 'python3 -m {x}', 'bash {x}', 'sh -x {f:path}', 'sh -- {x}',
    'tini -- {x}', 'gosu bob {x}', 'setarch -R {x}', 'fakeroot {x}', 'valgrind {x}', 'docker exec box {x}',
    'docker run --rm img {x}', 'kubectl exec pod -- {x}', 'npm run {x}', 'uv run {f:path}', 'rsync -e {x} a b',
    'rsync --rsh={x} a b', 'tar -I {x} -cf a b', 'tar --checkpoint-action=exec={x} -cf a b', 'git -c {x} status',
    'git clone --upload-pack={x} a', 'scp -S {x} a b', 'make SHELL={x}', 'make -f {f:path}', 'java -jar {f:path}',
    'vim -c {x} a', 'sort --compress-program={x} a', 'expect -c {x}', 'Rscript {f:path}',
    'awk {x} file', 'sed -n {x} file', 'sed -e {x} file', 'sed s/{x}/y/ file', 'env python3 {x}', '/usr/bin/env {x}',
  ]) // biome-ignore format: a list of commands
    assert.throws(() => checkedRecipe('r', command.split(' ')), { code: 'invalid_recipe' }, command);
});

test('a shell or an interpreter without a script is rejected, as it would run the stdin of the job', () => {
  for (const command of ['bash', 'sh -s', 'python3 -u', 'env sh', 'nice -n 5 node --use-strict'])
    assert.throws(() => checkedRecipe('r', command.split(' ')), /would run its standard input/, command);
  for (const command of ['node --version', 'python3 -m site', 'sh job.sh', 'sh -c id', 'sh -- job.sh'])
    checkedRecipe('r', command.split(' '));
});

test('a recipe whose launched program is fixed accepts parameters after it', () => {
  for (const command of [
    'env A=1 convert {f:path}', 'nice -n 5 convert {f:path}', 'timeout 5m convert {x}', 'timeout {n:int} rm -- {x}',
    'sudo -u bob rm {f:path}', 'sudo -n -- rm {x}', 'xargs -0 rm {x}', 'find {d:path} -name {x} -delete',
    'find . -exec rm {} ;', 'python3 -u job.py {x}', 'node job.js {x}', 'node {f:path(/srv/scripts)} {x}', 'awk -F : $1 {x}',
    'sed -i s/a/b/ {f:path}', 'env {p:choice(ls,df)}', 'ssh host clean {n:int}', 'env node job.js {x}', 'perl -ne print {x}',
    'docker exec -it box convert {x}', 'docker run --rm img convert {x}', 'kubectl logs {x}', 'npm run build {x}', 'npm install {x}',
    'rsync -a -- {f:path} backup:', 'tar -czf {f:path} -- {x}', 'git clone -- {x}', 'git -c a=b clone -- {x}', 'make {x}',
    'java -jar job.jar {x}', 'gosu bob convert {x}', 'tini -- convert {x}', 'sort -k {n:int} {f:path}',
  ]) // biome-ignore format: a list of commands
    checkedRecipe('r', command.split(' '));
});

test('an invalid recipe is rejected', () => {
  for (const command of [
    [],
    ['echo', '{x:itn}'],
    ['echo', '{x:int(a..b)}'],
    ['echo', '{x:choice}'],
    ['echo', '{x:choice(a,,b)}'],
    ['echo', '{x:string([)}'],
    ['echo', '{x:path(srv)}'],
    ['echo', '{x:int=many}'],
    ['echo', '{x:int(1..3)=4}'],
    ['echo', '{x:int}', '{x:path}'],
    ['echo', '{x:'],
  ])
    assert.throws(() => checkedRecipe('r', command), { code: 'invalid_recipe' }, command.join(' '));
});
