import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandName } from '../../src/tracing/command-name.ts';

test("only the program's name is exported, never its arguments", () => {
  const named: [string | string[], string][] = [
    ['curl -H "Authorization: secret"', 'curl'],
    ['  /usr/bin/python3.12 train.py', 'python3.12'],
    ['A=1 B=x/y make all', 'make'],
    ['cd /secret && make', 'cd'],
    ['true; echo', 'true'],
    [['/opt/my tool', '--key=secret'], 'my tool'],
  ];
  for (const [command, name] of named) assert.equal(commandName(command), name);
  const unnamed = [
    'TOKEN="a secret b" x',
    "TOKEN='a secret b' x",
    'T=$(secret) x',
    '"secret" x',
    '(cd x)',
    'A=secret',
    '[ x',
  ];
  for (const command of [...unnamed, '']) assert.equal(commandName(command), null, command);
});
