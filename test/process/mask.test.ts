// Known values in output become ***, whatever the chunk boundaries.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { formsOf, Mask } from '../../src/process/output/mask.ts';
import { Masking } from '../../src/worker/attempt/masking.ts';

const SECRET = 'hunter2-"ä/+x';

function masked(values: readonly string[], pieces: readonly (string | Buffer)[]): string {
  const mask = new Mask(formsOf(values.map((value) => Buffer.from(value))));
  const passed = pieces.map((piece) => mask.add(Buffer.from(piece as string)));
  return Buffer.concat([...passed, mask.end()]).toString();
}

test('a value is masked and everything else stays', () => {
  assert.equal(masked([SECRET], [`a ${SECRET} b ${SECRET}${SECRET}\n`]), 'a *** b ******\n');
  assert.equal(masked([SECRET], ['nothing to hide', '', 'hunter']), 'nothing to hidehunter');
});

test('a value that arrives byte by byte is masked', () => {
  const bytes = [...Buffer.from(`x${SECRET}y`)].map((byte) => Buffer.from([byte]));
  assert.equal(masked([SECRET], bytes), 'x***y');
});

test('data that cannot begin a value passes immediately', () => {
  const mask = new Mask(formsOf([Buffer.from(SECRET)]));
  assert.equal(mask.add(Buffer.from('progress 5 %\n')).toString(), 'progress 5 %\n');
  assert.equal(mask.add(Buffer.from('see hunter')).toString(), 'see ');
  assert.equal(mask.add(Buffer.from('s')).toString(), 'hunters');
});

test('of two values with a common prefix, the longer one is masked completely', () => {
  assert.equal(masked(['abcdef', 'abcdefghij'], ['1 abcdef', 'ghij 2 abcdef', 'gX']), '1 *** 2 ***gX');
  assert.equal(masked(['abcdef', 'abcdefghij'], ['abcdef']), '***');
});

describe('a value is masked in common encodings', () => {
  const forms: Record<string, string> = {
    JSON: JSON.stringify({ a: SECRET }),
    'a URL': `https://host/?q=${encodeURIComponent(SECRET)}`,
    'JSON of PHP': '{"a":"hunter2-\\"\\u00e4\\/+x"}',
    'JSON of Python': '{"a":"hunter2-\\"\\u00e4/+x"}',
    'JSON with escapes in upper case': '{"a":"hunter2-\\"\\u00E4\\/+x"}',
    'JSON of .NET': '{"a":"hunter2-\\u0022\\u00E4/\\u002Bx"}',
    'a URL in lower case': encodeURIComponent(SECRET).toLowerCase(),
    'a URL that keeps its slashes': encodeURIComponent(SECRET).replace('%2F', '/'),
    'a shell that escapes each mark': 'hunter2-\\"ä/+x',
    'JSON in JSON': JSON.stringify({ log: JSON.stringify({ a: SECRET }) }),
    'JSON of Python in JSON': JSON.stringify({ log: '{"a":"hunter2-\\"\\u00e4/+x"}' }),
    hex: Buffer.from(SECRET).toString('hex'),
    'bytes of Python': `b'hunter2-"\\xc3\\xa4/+x'`,
    HTML: 'hunter2-&quot;ä/+x',
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

test('a value that is too short or ends in a newline does not mask other text', () => {
  assert.equal(masked(['a', 'abcde'], ['abcde a']), 'abcde a');
  assert.equal(masked(['line one\nline two\n'], ['line one\nline two\n']), '***\n');
});

test('masking does not depend on chunk boundaries', () => {
  const value = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 6, maxLength: 9 });
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 60 });
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 3 }), text, fc.array(fc.nat(60)), (values, whole, cuts) => {
      const at = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
      const pieces = at.slice(1).map((end, i) => whole.slice(at[i], end));
      const out = masked(values, pieces);
      assert.equal(out, masked(values, [whole]));
      for (const secret of values) assert.ok(!out.includes(secret), `${out} has ${secret}`);
    }),
    { numRuns: 2000 },
  );
});

test('masking repetitive output takes linear time', () => {
  const value = `${'a'.repeat(60_000)}b`;
  const out = masked(
    [value],
    Array.from({ length: 20 }, () => 'a'.repeat(65_536)),
  );
  assert.equal(out.length, 20 * 65_536);
});

describe('a value with spaces and quotes is masked', () => {
  const spaced = "it's a /secret & more";
  const forms: Record<string, string> = {
    'in a form': new URLSearchParams({ q: spaced }).toString(),
    'in a form in lower case': 'it%27s+a+%2fsecret+%26+more',
    'by urllib.parse.quote': 'it%27s%20a%20/secret%20%26%20more',
    'by urllib.parse.quote_plus': 'it%27s+a+%2Fsecret+%26+more',
    'by shlex.quote': `'it'"'"'s a /secret & more'`,
    'by a shell': "'it'\\''s a /secret & more'",
    'by printf %q': "it\\'s\\ a\\ /secret\\ \\&\\ more",
    'by repr': "'it\\'s a /secret & more'",
    'in JSON of Go': '"it\'s a /secret \\u0026 more"',
    'in JSON of Rails': '"it\\u0027s a /secret \\u0026 more"',
    'in XML': 'it&apos;s a /secret &amp; more',
  };
  for (const [name, text] of Object.entries(forms))
    test(name, () => {
      const out = masked(
        [spaced],
        [...Buffer.from(text)].map((byte) => Buffer.from([byte])),
      );
      assert.match(out, /\*\*\*/);
      assert.doesNotMatch(out, /secret/);
    });
});

test('a result is masked whatever escapes it contains', () => {
  const masking = new Masking(() => {});
  masking.learn([Buffer.from(SECRET)]);
  const odd = [...SECRET].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  assert.equal(masking.json(`{"a":["${odd}",1e400],"${odd}":1}`), '{"a":["***",null],"***":1}');
  assert.equal(masking.json('{"n": 12345678901234567890}'), '{"n": 12345678901234567890}', 'others stay as they are');
  assert.equal(masking.json('no JSON'), 'no JSON');
});
