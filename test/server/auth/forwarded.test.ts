// The address of a client behind a proxy is the IP address that the proxy wrote, however it spells it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wayIn } from '../../../src/server/auth/entrance.ts';

const addressOf = (forwarded: string, behindProxy = true): string =>
  wayIn(() => 1, false, behindProxy).addressOf(
    new Request('http://127.0.0.1/', { headers: { 'x-forwarded-for': forwarded } }),
    'peer',
  );

test('a port is not part of a client address', () => {
  for (const [forwarded, address] of [
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['10.0.0.1, 192.0.2.1:4712', '192.0.2.1'],
    ['2001:DB8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
  ] as const)
    assert.equal(addressOf(forwarded), address, forwarded);
});

test('other values, and headers of a client without a proxy, are ignored', () => {
  for (const forwarded of ['unknown', '_hidden', '192.0.2.1:x', '[192.0.2.1', '192.0.2.256', ','])
    assert.equal(addressOf(forwarded), 'peer', forwarded);
  assert.equal(addressOf('192.0.2.1', false), 'peer');
});
