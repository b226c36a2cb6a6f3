// Whatever stands in paths and values reaches the program unchanged: through units, property lists and files of variables.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { environmentText } from '../../src/service/environment-file.ts';
import { plistText } from '../../src/service/launchd-plist.ts';
import { recordIn, type Service } from '../../src/service/service.ts';
import { unitText } from '../../src/service/systemd-unit.ts';
import { temporaryFolder } from '../support/folder.ts';
import { systemdCommand, systemdWords, valuesOf, withoutSpecifiers } from '../support/systemd-words.ts';

/** What paths and values are made of: everything that means something to somebody, and everything else. */
const nasty = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...' "\'\\%$`;#&<>=-~\n\t\r'),
    fc.constantFrom('%h', '$HOME', '$X', '-->', ']]>', '🐘', 'é', '\u0085', '\u2028', '\u0001'),
    fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }),
  ),
  maxLength: 30,
});
const word = nasty.filter((text) => !text.includes('\0'));
/** What XML can hold. */
const xmlWord = word.map((text) => text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''));

const service = (more: Partial<Service>): Service => ({
  role: 'worker',
  name: null,
  count: 1,
  place: '/queue.db',
  queues: null,
  url: null,
  log: '/log',
  isSystem: false,
  runAs: null,
  command: ['/node'],
  variables: {},
  secrets: {},
  stopSeconds: null,
  ...more,
});

const lineOf = (unit: string, key: string): string => valuesOf(unit, key)[0] ?? '';

/** Where systemd would reject the path of the program, a shell starts it. */
function startedBy(words: readonly string[]): readonly string[] {
  const [shell, flag, script, ...command] = words;
  return shell === '/bin/sh' && flag === '-c' && script === 'exec "$0" "$@"' ? command : words;
}

test('a unit starts the exact command with the exact variables', () => {
  fc.assert(
    fc.property(word, fc.array(word), word, (program, args, value) => {
      const command = [`/${program}`, ...args];
      const unit = unitText(service({ command, variables: { V: value }, place: value }), null);
      assert.deepEqual(startedBy(systemdCommand(lineOf(unit, 'ExecStart'))), command);
      assert.deepEqual(systemdWords(lineOf(unit, 'Environment')), [`V=${value}`]);
      assert.equal(recordIn(unit)?.place, value);
    }),
  );
});

test('the environment file is found under any name that a line can contain', () => {
  fc.assert(
    fc.property(
      word.filter((text) => !/\n/.test(text)),
      (name) => {
        const file = `/${name}/x.env`;
        const unit = unitText(service({ secrets: { V: '' } }), file);
        assert.equal(withoutSpecifiers(lineOf(unit, 'EnvironmentFile')), file);
      },
    ),
  );
});

test('a property list starts the exact command with the exact variables', () => {
  fc.assert(
    fc.property(fc.array(xmlWord), xmlWord, (command, value) => {
      const text = plistText(service({ command, variables: { V: value }, place: value }), {
        label: 'queuectl-worker.1',
        folder: null,
        environmentFile: null,
      });
      const plist = readPlist(text);
      assert.deepEqual(plist.ProgramArguments, command);
      assert.deepEqual(plist.EnvironmentVariables, { V: value });
      assert.equal(recordIn(text)?.place, value);
    }),
  );
});

test('a shell reads the exact values from an environment file', (t) => {
  const file = path.join(temporaryFolder(t), 'it is.env');
  const values = fc.sample(word, 200);
  fs.writeFileSync(file, environmentText(Object.fromEntries(values.map((value, i) => [`V${i}`, value]))));
  const script = `set -a; . "$0"; exec "$@"`;
  const print = `for (let i = 0; i < ${values.length}; i++) process.stdout.write(process.env['V' + i] + '\\0')`;
  const read = execFileSync('/bin/sh', ['-c', script, file, process.execPath, '-e', print], {
    encoding: 'utf8',
  });
  assert.deepEqual(read.split('\0').slice(0, -1), values);
});

const hasVerify = spawnSync('systemd-analyze', ['--version']).status === 0;

const NAMES = ['plain', 'a b', '100%', '$HOME', 'it\'s "quoted"', 'back\\slash', 'élan 🐘', 'new\nline'];

/** What systemd says of units that start a program in a folder of each of these names. */
function verified(folder: string, write: (text: string) => string): string[] {
  const files = NAMES.map((name, i) => {
    const program = path.join(folder, name, 'node');
    fs.mkdirSync(path.dirname(program), { recursive: true });
    fs.copyFileSync('/bin/true', program);
    const variables = { QUEUECTL_DB: `/${name}` };
    const command = [program, name, '%h', '$X', ';'];
    const unit = unitText(service({ command, variables, isSystem: true, runAs: 'root' }), null);
    const file = path.join(folder, `queuectl-worker-${i}@1.service`);
    fs.writeFileSync(file, write(unit));
    return file;
  });
  const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], { encoding: 'utf8' });
  return stderr.split('\n').filter((line) => line.includes('queuectl-worker'));
}

test('systemd itself accepts the units', { skip: !hasVerify }, (t) => {
  const folder = temporaryFolder(t);
  assert.deepEqual(
    verified(folder, (unit) => unit),
    [],
  );
  const broken = verified(folder, (unit) => unit.replaceAll('%%', '%').replace('KillMode=mixed', 'KillMode=some'));
  assert.ok(broken.length >= NAMES.length, 'it would');
});

type Plist = string | number | boolean | Plist[] | { [key: string]: Plist };

/** As much of XML as a property list of ours has. */
function readPlist(text: string): Record<string, Plist> {
  const body = text.slice(text.indexOf('<plist version="1.0">') + '<plist version="1.0">'.length);
  const tokens = [...body.matchAll(/<(\/?)(\w+)(\/?)>|([^<]+)/g)];
  let at = 0;
  const skip = (): void => {
    while (/^\s*$/.test(tokens[at]?.[4] ?? 'x')) at++;
  };
  const content = (): string => {
    at++;
    const plain = tokens[at]?.[4] ?? '';
    if (plain !== '') at++;
    at++;
    return plain.replaceAll('&#13;', '\r').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  };
  const value = (): Plist => {
    skip();
    const [, , tag, empty] = tokens[at] ?? [];
    if (empty === '/') {
      at++;
      return tag === 'true';
    }
    if (tag === 'string') return content();
    if (tag === 'integer') return Number(content());
    at++;
    const items: Plist[] = [];
    for (skip(); tokens[at]?.[1] !== '/'; skip()) items.push(tokens[at]?.[2] === 'key' ? content() : value());
    at++;
    if (tag === 'array') return items;
    return Object.fromEntries(items.flatMap((key, i) => (i % 2 === 0 ? [[String(key), items[i + 1] ?? '']] : [])));
  };
  return value() as Record<string, Plist>;
}
