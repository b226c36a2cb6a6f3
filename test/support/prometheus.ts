// A strict reader of Prometheus' text format: whatever a scraper might stumble over, or the conventions speak against, fails.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

export interface ParsedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ParsedFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: ParsedSample[];
}

export class Exposition {
  readonly families: ReadonlyMap<string, ParsedFamily>;

  constructor(text: string) {
    this.families = parse(text);
  }

  /** The value of the sample with exactly these labels. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const found = this.samples().find((one) => one.name === name && keyOf(one.labels) === keyOf(labels));
    return found?.value;
  }

  samples(): ParsedSample[] {
    return [...this.families.values()].flatMap(({ samples }) => samples);
  }
}

/** A second opinion on a machine that has promtool; elsewhere only the reader above decides. */
export function expectPromtoolContent(text: string): void {
  new Exposition(text);
  const { error, status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return;
  assert.deepEqual([status, stdout + stderr], [0, '']);
}

const NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const VALUE = /^(?:NaN|[+-]Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;
const TYPES = ['counter', 'gauge', 'histogram', 'summary', 'untyped'];
const SUFFIXES: Readonly<Record<string, readonly string[]>> = { histogram: ['_bucket', '_sum', '_count'] };

const keyOf = (labels: Readonly<Record<string, string>>): string => JSON.stringify(Object.entries(labels).sort());

function parse(text: string): Map<string, ParsedFamily> {
  assert.ok(text.endsWith('\n'), 'the last line ends in a line feed');
  assert.ok(text.isWellFormed() && !text.includes('\r'), 'UTF-8, with line feeds alone');
  const families = new Map<string, ParsedFamily>();
  let current: ParsedFamily | null = null;
  let help: [string, string] | null = null;
  for (const line of text.slice(0, -1).split('\n')) {
    const comment = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line);
    if (comment?.[1] === 'HELP') {
      assert.equal(help, null, `${line}: its TYPE follows`);
      help = [comment[2] ?? '', comment[3] ?? ''];
    } else if (comment) {
      current = newFamily(families, comment[2] ?? '', comment[3] ?? '', help);
      help = null;
    } else {
      assert.ok(current && help === null, `${line}: comes after HELP and TYPE of its family`);
      current.samples.push(sampleOf(line, current));
    }
  }
  assert.equal(help, null, 'a HELP without its TYPE');
  for (const family of families.values()) check(family);
  return families;
}

function newFamily(
  families: Map<string, ParsedFamily>,
  name: string,
  type: string,
  help: [string, string] | null,
): ParsedFamily {
  assert.equal(help?.[0], name, `${name} has its HELP right before its TYPE`);
  assert.match(name, NAME);
  assert.ok(TYPES.includes(type), `${name}: ${type}`);
  assert.ok(!families.has(name), `${name} comes once, with all of its samples`);
  const family = { name, type, help: help?.[1] ?? '', samples: [] };
  families.set(name, family);
  return family;
}

function sampleOf(line: string, { name: family, type }: ParsedFamily): ParsedSample {
  const [, name = '', labels = '', value = ''] = /^([^\s{]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? assert.fail(line);
  const names = (SUFFIXES[type] ?? ['']).map((suffix) => `${family}${suffix}`);
  assert.ok(names.includes(name), `${line}: belongs to ${family}`);
  assert.match(value, VALUE, line);
  return { name, labels: labelsOf(labels, line), value: Number(value.replace('Inf', 'Infinity')) };
}

function labelsOf(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {};
  const pair = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/y;
  while (pair.lastIndex < text.length) {
    const [, name = '', value = '', comma] = pair.exec(text) ?? assert.fail(`${line}: no label`);
    assert.ok(!(name in labels) && !name.startsWith('__'), `${line}: ${name}`);
    assert.ok(comma === '' || pair.lastIndex < text.length, `${line}: a comma too many`);
    labels[name] = value.replace(/\\(.)/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped));
  }
  return labels;
}

/** What the conventions ask of a family, and its type of its numbers. */
function check({ name, type, help, samples }: ParsedFamily): void {
  assert.match(help, /^[A-Z].*\.$/, `${name}: its help is a sentence`);
  assert.equal(name.endsWith('_total'), type === 'counter', `${name}: counters end in _total, and nothing else`);
  assert.doesNotMatch(
    name,
    /_(ms|millis|milliseconds|minutes|hours|kb|mb|kib|mib|percent|count|sum|bucket)(_|$)/,
    name,
  );
  assert.doesNotMatch(name, new RegExp(`_${type}(_|$)`), `${name}: its type is not in its name`);
  const keys = samples.map((one) => `${one.name} ${keyOf(one.labels)}`);
  assert.equal(new Set(keys).size, keys.length, `${name}: each series once`);
  for (const { value, labels, name: full } of samples) {
    if (type !== 'gauge') assert.ok(value >= 0, `${full}: ${value}`);
    assert.equal('le' in labels, full.endsWith('_bucket'), full);
  }
  if (type === 'histogram') checkHistograms(name, samples);
}

function checkHistograms(name: string, samples: readonly ParsedSample[]): void {
  const groups = Map.groupBy(samples, ({ labels: { le: _, ...rest } }) => keyOf(rest));
  for (const [key, group] of groups) {
    const buckets = group.filter((one) => one.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => Number(labels.le?.replace('Inf', 'Infinity')));
    assert.deepEqual(
      bounds,
      bounds.toSorted((a, b) => a - b),
      `${name} ${key}: bounds ascend`,
    );
    const counts = buckets.map(({ value }) => value);
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
      `${name} ${key}: buckets are cumulative`,
    );
    assert.equal(bounds.at(-1), Number.POSITIVE_INFINITY, `${name} ${key}: the last bucket has everything`);
    const rest = group.filter((one) => one.name !== `${name}_bucket`).map((one) => one.name);
    assert.deepEqual(rest.sort(), [`${name}_count`, `${name}_sum`]);
    assert.equal(counts.at(-1), group.find((one) => one.name === `${name}_count`)?.value, `${name} ${key}`);
  }
}
