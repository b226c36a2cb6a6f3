// Which addresses a webhook may not be sent to unless that is allowed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPrivateAddress } from '../../src/webhook/private-addresses.ts';

const PRIVATE = [
  '127.0.0.1', '127.255.255.254', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254',
  '0.0.0.0', '100.64.0.1', '224.0.0.1', '255.255.255.255', '::', '::1', 'fe80::1', 'fe80::1%eth0', 'fd00::1',
  'fc12::1', 'ff02::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:7f00:1', '::127.0.0.1', '64:ff9b::7f00:1',
  '2002:7f00:1::', 'fec0::1',
]; // biome-ignore format: a list of addresses
const PUBLIC = [
  '1.1.1.1', '8.8.8.8', '172.15.255.255', '172.32.0.0', '192.167.255.255', '100.63.255.255', '100.128.0.0',
  '169.253.1.1', '223.255.255.255', '2606:4700::1111', '2a00:1450::1', '::ffff:8.8.8.8',
]; // biome-ignore format: a list of addresses

test('addresses of private networks, this machine and this link are private in every notation', () => {
  assert.deepEqual(
    PRIVATE.filter((address) => !isPrivateAddress(address)),
    [],
  );
});

test('all other addresses are public', () => {
  assert.deepEqual(PUBLIC.filter(isPrivateAddress), []);
});
