// What jobs and people write can hold control characters. Shown as text, none of them reaches the terminal; the output
// of a job itself, and JSON, stay what they are.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { oneLine } from '../../src/cli/render/text.ts';
import { newQueue } from './support.ts';

/** C0 (but for the newline at the end of a line), DEL, C1 with its one-letter CSI, and what turns the direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these must not get through
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

const NASTY = '\u001b[31m\u009b32m\u0007\u007f\u202e\u2066\u200f\u061c';
const OCTAL = '\\033[31m\\302\\23332m\\007\\177\\342\\200\\256\\342\\201\\246';

/** Of these alone a last line may consist and still be text. */
const TURNS = '\\342\\200\\256\\342\\201\\246';

const expectPlain = (text: string, what: string): void => {
  assert.doesNotMatch(text, OBEYED, `${what}: ${JSON.stringify(text)}`);
  assert.ok(text.includes('\u{fffd}'), `${what} shows that something was there: ${JSON.stringify(text)}`);
};

suite('control characters', { concurrency: 2 }, () => {
  test('in the last words of a job reach no terminal through wait, list, show, dlq list or the log of a worker', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', '--max-retries', '0', `printf 'no ${TURNS}'; exit 3`);
    const worker = await queue.run(['worker', 'run', '--drain']);
    expectPlain(worker.stderr, 'worker run');
    expectPlain((await queue.run(['wait', 'a'])).stdout, 'wait');
    for (const line of [['list'], ['show', 'a'], ['dlq', 'list'], ['dlq', 'show', 'a']])
      expectPlain(await queue.text(...line), line.join(' '));
  });

  test('make a last line no explanation of a failure', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', '--max-retries', '0', `printf 'no ${OCTAL}'; exit 3`);
    await queue.drain();
    assert.equal((await queue.show('a')).last_error, 'exit code 3');
  });

  test('in the log of a worker in the background are taken out as well', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', '--max-retries', '0', `printf 'no ${TURNS}'; exit 3`);
    await queue.text('worker', 'start', '--drain');
    await queue.untilState('a', 'dead');
    const { stdout } = await queue.sh(
      'until grep -l left home/run/*/*.log >/dev/null; do sleep 0.05; done; cat home/run/*/*.log',
    );
    expectPlain(stdout, 'worker log');
  });

  test('in what a person types do not come back in errors', async (t) => {
    const queue = newQueue(t);
    for (const args of [
      ['show', `x${NASTY}`],
      [`x${NASTY}`],
      ['list', `--x${NASTY}`],
      ['enqueue', '--id', `x${NASTY}`, 'true'],
      ['enqueue', '--cwd', `/x${NASTY}`, 'true'],
      ['enqueue', `@x${NASTY}`],
      ['config', 'set', `x${NASTY}`, '1'],
      ['--db', `/dev/null/x${NASTY}`, 'status'],
    ]) {
      expectPlain((await queue.run(args)).stderr, args[0] ?? '');
      const json = (await queue.run([...args, '--json'])).stderr;
      assert.doesNotMatch(json, OBEYED, 'JSON writes them as escapes');
      assert.ok(JSON.parse(json).message, json);
    }
  });

  test('in the name of a program that is not there do not come back from run', async (t) => {
    const queue = newQueue(t);
    expectPlain((await queue.run(['run', '--', `no-such${NASTY}`])).stderr, 'run');
  });

  test('in the output of a job are its own', async (t) => {
    const queue = newQueue(t);
    const { bytes } = await queue.run(['run', `printf '${OCTAL}'`]);
    assert.equal(bytes.toString(), '\u001b[31m\u009b32m\u0007\u007f\u202e\u2066');
  });

  test('become visible, one by one', () => {
    assert.equal(oneLine(`a${NASTY}b`), `a\u{fffd}[31m\u{fffd}32m${'\u{fffd}'.repeat(6)}b`);
  });
});
