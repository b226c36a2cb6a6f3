// Guessing is slow for one user and from one address, keeps nobody else out, and costs the server a bounded memory.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QueueError } from '../../../src/errors/errors.ts';
import { LoginPace, networkOf, PACE } from '../../../src/server/auth/login-pace.ts';

class Guesses {
  now = 0;
  readonly pace: LoginPace;

  constructor(rules: Partial<typeof PACE> = {}) {
    this.pace = new LoginPace({ ...PACE, ...rules }, () => this.now);
  }

  /** How many seconds to wait, or whether it was tried and found wrong or right. */
  async guess(address: string, isRight = false, user = 'ann'): Promise<number | 'wrong' | 'right'> {
    try {
      return (await this.pace.attempt(address, user, async () => (isRight ? 'in' : null))) ? 'right' : 'wrong';
    } catch (error) {
      if (error instanceof QueueError && error.code === 'too_many_logins') return Number(error.details.seconds);
      throw error;
    }
  }
}

test('after five wrong logins a user waits at this address, twice as long each time, up to a minute', async () => {
  const guesses = new Guesses();
  for (let i = 0; i < 5; i++) assert.equal(await guesses.guess('a'), 'wrong');
  const waits: (number | string)[] = [];
  for (let i = 0; i < 8; i++) {
    const wait = await guesses.guess('a');
    waits.push(wait);
    guesses.now += Number(wait) * 1000;
    assert.equal(await guesses.guess('a'), 'wrong');
  }
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 60, 60]);
  assert.equal(await guesses.guess('a', true), 60, 'the right one waits, too');
  assert.equal(await guesses.guess('b'), 'wrong', 'elsewhere the same user does not');
  assert.equal(await guesses.guess('a', true, 'bob'), 'right', 'nor do others here');
});

test('a successful login clears its own attempt, and not the failures before it', async () => {
  const guesses = new Guesses();
  for (let i = 0; i < 4; i++) await guesses.guess('a');
  assert.equal(await guesses.guess('a', true, 'mallory'), 'right');
  assert.equal(await guesses.guess('a', true), 'right');
  assert.equal(await guesses.guess('a'), 'wrong');
  assert.equal(await guesses.guess('a'), 1);
});

test('an address that guesses for many users waits, and no other address does', async () => {
  const guesses = new Guesses({ freeTriesOfAddress: 10 });
  for (let i = 0; i < 10; i++) assert.equal(await guesses.guess('a', false, `user${i}`), 'wrong');
  assert.equal(await guesses.guess('a', true, 'bob'), 1);
  assert.equal(await guesses.guess('b', true, 'bob'), 'right');
});

test('failures are forgotten after a quiet hour', async () => {
  const guesses = new Guesses();
  for (let i = 0; i < 5; i++) await guesses.guess('a');
  guesses.now += 3_600_000;
  assert.equal(await guesses.guess('a'), 'wrong');
  assert.equal(await guesses.guess('a'), 'wrong');
});

test('the stored failures are bounded, however many addresses there are', async () => {
  const guesses = new Guesses({ mostRemembered: 50 });
  for (let i = 0; i < 1000; i++) {
    guesses.now += 1;
    await guesses.guess(`10.0.${i % 256}.${i >> 8}`);
  }
  assert.ok(guesses.pace.size <= 50, String(guesses.pace.size));
});

test('all addresses of an IPv6 network count as one', () => {
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), networkOf('2001:db8:1:2::9'));
  assert.equal(networkOf('2001:db8::1'), networkOf('2001:db8::2'));
  assert.notEqual(networkOf('2001:db8:1::1'), networkOf('2001:db8:2::1'));
  assert.deepEqual([networkOf('10.0.0.1'), networkOf('::ffff:10.0.0.1')], ['10.0.0.1', '::ffff:10.0.0.1']);
});
