// What jobs and people write can hold control characters. Shown as text, none of them reaches the terminal; the output
// of a job itself, and JSON, stay what they are.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { suite, test } from 'node:test';
import { TerminalText } from '../../src/cli/render/kit/terminal-text.ts';
import { oneLine } from '../../src/cli/render/kit/text.ts';
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
  test('in the last output lines reach no terminal through wait, list, show, dlq list or the worker log', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', '--max-retries', '0', `printf 'no ${TURNS}'; exit 3`);
    const worker = await queue.run(['worker', 'run', '--drain']);
    expectPlain(worker.stderr, 'worker run');
    expectPlain((await queue.run(['wait', 'a'])).stdout, 'wait');
    for (const line of [['list'], ['show', 'a'], ['dlq', 'list'], ['dlq', 'show', 'a']])
      expectPlain(await queue.text(...line), line.join(' '));
  });

  test('make a last line unusable as the reason of a failure', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', '--max-retries', '0', `printf 'no ${OCTAL}'; exit 3`);
    await queue.drain();
    assert.equal((await queue.show('a')).last_error, 'exit code 3');
  });

  test('are also removed from the log of a background worker', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', '--max-retries', '0', `printf 'no ${TURNS}'; exit 3`);
    await queue.text('worker', 'start', '--drain');
    await queue.untilState('a', 'dead');
    const { stdout } = await queue.sh(
      'until grep -l left home/run/*/*.log >/dev/null; do sleep 0.05; done; cat home/run/*/*.log',
    );
    expectPlain(stdout, 'worker log');
  });

  test('in typed arguments are not repeated in errors', async (t) => {
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

  test('in the name of a missing program are not repeated by run', async (t) => {
    const queue = newQueue(t);
    expectPlain((await queue.run(['run', '--', `no-such${NASTY}`])).stderr, 'run');
  });

  test('in the output of a job are kept', async (t) => {
    const queue = newQueue(t);
    const { bytes } = await queue.run(['run', `printf '${OCTAL}'`]);
    assert.equal(bytes.toString(), '\u001b[31m\u009b32m\u0007\u007f\u202e\u2066');
  });

  for (const line of ['logs a', 'logs -f a', `run "$(cat job)"`])
    test(`in the output of a job are removed by ${line}, but colours are kept`, async (t) => {
      const queue = newQueue(t);
      const job = `printf 'a\\033]52;c;aGk=\\007b\\033]0;title\\033\\\\c\\033[2J\\033[31mred\\033[0m\\302\\2332Jd\\033c\\n'`;
      fs.writeFileSync(path.join(queue.folder, 'job'), job);
      await queue.finished('--id', 'a', job);
      const { bytes } = await queue.onTerminal(200, `queuectl ${line}`);
      const text = bytes.toString();
      assert.ok(text.includes('a\ufffdb\ufffdc\ufffd\u001b[31mred\u001b[0m\ufffdd\ufffd'), JSON.stringify(text));
      for (const obeyed of ['\u001b]', '\u009b', '\u0007', '\u001bc']) assert.ok(!text.includes(obeyed));
      const clipboard = 'a\u001b]52;c;aGk=\u0007b';
      const raw = await queue.onTerminal(200, 'queuectl logs --raw a');
      assert.ok(raw.bytes.toString().includes(clipboard), '--raw gives the bytes');
      const piped = await queue.run(['logs', 'a']);
      assert.ok(piped.bytes.toString().includes(clipboard), 'so does a pipe');
      const { stdout } = await queue.onTerminal(200, 'queuectl show a --json');
      assert.ok(!stdout.includes('\u009b'));
    });

  test('that are split between chunks are found', () => {
    const shown = (chunks: readonly (string | Uint8Array)[]): string => {
      let text = '';
      const terminal = new TerminalText((more) => {
        text += more;
      });
      for (const chunk of chunks) terminal.add(chunk);
      terminal.end();
      return text;
    };
    const nasty = 'é\u001b]52;c;eA==\u001b\\x\u001b[1;31my\u001b[?1049hz\u009b2J\u001bPq\u001b\\e\u001b';
    const whole = shown([nasty]);
    assert.equal(whole, 'é\ufffdx\u001b[1;31my\ufffdz\ufffd\ufffde\ufffd');
    const bytes = Buffer.from(nasty);
    for (let at = 1; at < bytes.length; at++)
      assert.equal(shown([bytes.subarray(0, at), bytes.subarray(at)]), whole, `split at ${at}`);
    assert.equal(shown([...bytes].map((byte) => Uint8Array.of(byte))), whole);
    const endless = `\u001b]${'x'.repeat(200_000)}`;
    assert.equal(shown([endless, 'y']), `\ufffd${'x'.repeat(200_000)}y`);
  });

  test('become visible one by one', () => {
    assert.equal(oneLine(`a${NASTY}b`), `a\u{fffd}[31m\u{fffd}32m${'\u{fffd}'.repeat(6)}b`);
  });
});
