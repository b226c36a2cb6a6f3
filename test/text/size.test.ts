// Sizes as people write and read them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseBytes, sizeText } from '../../src/text/size.ts';

test('a size has a unit that is a power of 1024, or is in bytes', () => {
  const read = ['0', '512', '1k', '512M', '1.5g', '2 GiB', '3TB', '10 bytes'].map(parseBytes);
  assert.deepEqual(read, [0, 512, 1024, 512 * 1024 ** 2, 1.5 * 1024 ** 3, 2 * 1024 ** 3, 3 * 1024 ** 4, 10]);
  for (const text of ['', 'M', '-1', '1x', '1 MM', '1e3', '99999999P']) assert.equal(parseBytes(text), null, text);
});

test('a size is printed in few characters', () => {
  const said = [0, 1023, 1024, 1536, 512 * 1024 ** 2, 10.4 * 1024 ** 3].map(sizeText);
  assert.deepEqual(said, ['0 bytes', '1023 bytes', '1 KiB', '1.5 KiB', '512 MiB', '10 GiB']);
});
