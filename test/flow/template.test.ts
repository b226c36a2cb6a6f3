import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { templateOf } from '../../src/flow/template.ts';
import { aText } from '../support/random-jobs.ts';
import { rejected } from '../support/rejection.ts';

const filled = (line: string, number = 1): unknown =>
  templateOf(['{}', '{.}', '{/}', '{//}', '{/.}', '{#}'])(line, number);

describe('a command for each line', () => {
  it('accepts the placeholders of GNU parallel', () => {
    assert.deepEqual(filled('sub.dir/foo.tar.gz', 7), [
      'sub.dir/foo.tar.gz',
      'sub.dir/foo.tar',
      'foo.tar.gz',
      'sub.dir',
      'foo.tar',
      '7',
    ]);
  });

  it('leaves a name without extension or directory unchanged', () => {
    assert.deepEqual(filled('sub.dir/bar'), ['sub.dir/bar', 'sub.dir/bar', 'bar', 'sub.dir', 'bar', '1']);
    assert.deepEqual(filled('bar'), ['bar', 'bar', 'bar', '.', 'bar', '1']);
    assert.deepEqual(filled('/bar'), ['/bar', '/bar', 'bar', '/', 'bar', '1']);
  });

  it('inserts values unchanged into an argument list, also inside an argument', () =>
    assert.deepEqual(templateOf(['convert', '{}', 'out/{/.}.png'])("it's a $HOME.jpg", 1), [
      'convert',
      "it's a $HOME.jpg",
      "out/it's a $HOME.png",
    ]));

  it('quotes values in a shell command if they need it', () => {
    const template = templateOf('convert {} {.}.png');
    assert.equal(template('a.jpg', 1), 'convert a.jpg a.png');
    assert.equal(template("it's.jpg", 1), "convert 'it'\\''s.jpg' 'it'\\''s'.png");
  });

  it('never lets the shell interpret a line', () => {
    const template = templateOf('printf %s {}');
    fc.assert(
      fc.property(aText, (line) => {
        const shown = execFileSync('/bin/sh', ['-c', String(template(line, 1))], { encoding: 'utf8' });
        assert.equal(shown, line.toWellFormed());
      }),
      { numRuns: 50 },
    );
  });

  it('does not replace placeholders in inserted values', () =>
    assert.equal(templateOf('echo {} {#}')('{#}', 3), "echo '{#}' 3"));

  it('leaves other braces unchanged', () =>
    assert.equal(templateOf(`awk '{print $1}' {}`)('a', 1), `awk '{print $1}' a`));

  it('rejects a command without a placeholder', () => {
    assert.match(rejected('usage', () => templateOf('convert a b')).message, /no \{\}/);
    assert.match(rejected('usage', () => templateOf(['convert', 'a'])).message, /no \{\}/);
  });

  for (const command of [`echo '{}'`, `echo "{}"`, `sh -c 'convert {/.}'`]) {
    it(`rejects quotes around a value, which would expose it: ${command}`, () =>
      assert.match(rejected('usage', () => templateOf(command)).message, /inside quotes/));
  }

  it('tracks quotes that are closed, escaped or restarted in a substitution', () => {
    for (const command of [`echo 'a' "b" {}`, `echo \\" {}`, `echo "$(basename {})"`, `echo it\\'s {}`])
      assert.equal(typeof templateOf(command)('x', 1), 'string');
  });
});
