// Known values in what a job writes become ***, however it is cut into pieces.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { formsOf, Mask } from '../../src/process/mask.ts';

const SECRET = 'hunter2-"ä/+x';

function masked(values: readonly string[], pieces: readonly (string | Buffer)[]): string {
  const mask = new Mask(formsOf(values.map((value) => Buffer.from(value))));
  const passed = pieces.map((piece) => mask.add(Buffer.from(piece as string)));
  return Buffer.concat([...passed, mask.end()]).toString();
}

test('a value is hidden, and everything else stays', () => {
  assert.equal(masked([SECRET], [`a ${SECRET} b ${SECRET}${SECRET}\n`]), 'a *** b ******\n');
  assert.equal(masked([SECRET], ['nothing to hide', '', 'hunter']), 'nothing to hidehunter');
});

test('a value that comes byte by byte is hidden', () => {
  const bytes = [...Buffer.from(`x${SECRET}y`)].map((byte) => Buffer.from([byte]));
  assert.equal(masked([SECRET], bytes), 'x***y');
});

test('what cannot be the beginning of a value is passed on at once', () => {
  const mask = new Mask(formsOf([Buffer.from(SECRET)]));
  assert.equal(mask.add(Buffer.from('progress 5 %\n')).toString(), 'progress 5 %\n');
  assert.equal(mask.add(Buffer.from('see hunter')).toString(), 'see ');
  assert.equal(mask.add(Buffer.from('s')).toString(), 'hunters');
});

test('of two values that begin alike the longer one is hidden whole', () => {
  assert.equal(masked(['abcdef', 'abcdefghij'], ['1 abcdef', 'ghij 2 abcdef', 'gX']), '1 *** 2 ***gX');
  assert.equal(masked(['abcdef', 'abcdefghij'], ['abcdef']), '***');
});

describe('a value is hidden as programs write it', () => {
  const forms: Record<string, string> = {
    JSON: JSON.stringify({ a: SECRET }),
    'a URL': `https://host/?q=${encodeURIComponent(SECRET)}`,
    base64: Buffer.from(SECRET).toString('base64'),
    'base64 with a name before it': Buffer.from(`ann:${SECRET}`).toString('base64'),
    'base64 with more before it': Buffer.from(`annie:${SECRET}!`).toString('base64'),
    base64url: Buffer.from(`~~${SECRET}`).toString('base64url'),
  };
  for (const [name, text] of Object.entries(forms))
    test(name, () => {
      const out = masked([SECRET], [text]);
      assert.match(out, /\*\*\*/);
      const longest = out.replaceAll('***', '').length;
      assert.ok(longest < text.length - 10, out);
    });
});

test('a value that is too short, or ends in a line break, hides no more than it should', () => {
  assert.equal(masked(['a', 'abcde'], ['abcde a']), 'abcde a');
  assert.equal(masked(['line one\nline two\n'], ['line one\nline two\n']), '***\n');
});

test('however output is cut, the same is hidden', () => {
  const value = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 6, maxLength: 9 });
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 60 });
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 3 }),
      text,
      fc.array(fc.nat(60)),
      (values, whole, cuts) => {
        const at = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
        const pieces = at.slice(1).map((end, i) => whole.slice(at[i], end));
        const out = masked(values, pieces);
        assert.equal(out, masked(values, [whole]));
        for (const secret of values) assert.ok(!out.includes(secret), `${out} has ${secret}`);
      },
    ),
    { numRuns: 2000 },
  );
});

test('output that looks like a value without end takes no longer than any other', () => {
  const value = `${'a'.repeat(60_000)}b`;
  const out = masked(
    [value],
    Array.from({ length: 20 }, () => 'a'.repeat(65_536)),
  );
  assert.equal(out.length, 20 * 65_536);
});
