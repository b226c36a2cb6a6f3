// The dashboard and the alert rules: each of their queries is about metrics, labels and values that the program tells.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { OUTCOMES } from '../../src/job/job.ts';
import { Queue } from '../../src/queue/queue.ts';
import { prometheusText } from '../../src/report/metrics/prometheus.ts';
import { scrapeOf } from '../../src/report/metrics/scrape.ts';
import { repository } from '../setup/clone.ts';
import { newFolder, removeFolder } from '../support/folder.ts';
import { liveIn } from '../support/lived-in.ts';
import { Exposition, type ParsedSample } from '../support/prometheus.ts';
import { type Matcher, parseQuery } from '../support/promql.ts';

const read = (file: string): string => fs.readFileSync(path.join(repository, 'ops', file), 'utf8');

interface Target {
  readonly expr: string;
  readonly legendFormat: string;
}
interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly Target[];
}
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

const dashboard = JSON.parse(read('grafana-dashboard.json')) as {
  panels: Panel[];
  templating: { list: { name: string; definition?: string }[] };
};
const rules = (parse(read('alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap((one) => one.rules);

let told: Exposition;
before(async () => {
  const folder = newFolder();
  const queue = await Queue.open({ cwd: folder, environment: { QUEUECTL_HOME: folder } });
  await liveIn(queue);
  told = new Exposition(prometheusText(await scrapeOf(queue, 'x')));
  await queue.close();
  removeFolder(folder);
});

const samplesOf = (metric: string): ParsedSample[] => {
  const samples = told.samples().filter(({ name }) => name === metric);
  assert.ok(samples.length > 0, `there is no metric ${metric}`);
  return samples;
};

const labelsOf = (metric: string): string[] => samplesOf(metric).flatMap(({ labels }) => Object.keys(labels));

/** A label that a metric does not have, or a value that it never has, makes a query that never finds anything. */
function checkMatcher(metric: string, { label, operator, value }: Matcher, query: string): void {
  assert.ok(labelsOf(metric).includes(label), `${query}: ${metric} has no label ${label}`);
  if (value.startsWith('$')) return;
  const values = samplesOf(metric).map(({ labels }) => labels[label]);
  for (const wanted of operator.endsWith('~') ? value.split('|') : [value])
    assert.ok(values.includes(wanted), `${query}: ${label} of ${metric} is never ${wanted}`);
}

/** Answers the labels that it can speak of. */
function check(query: string): readonly string[] {
  const { selectors, groupings } = parseQuery(query);
  for (const { metric, matchers } of selectors) for (const matcher of matchers) checkMatcher(metric, matcher, query);
  const known = selectors.flatMap(({ metric }) => labelsOf(metric));
  for (const label of groupings) assert.ok(known.includes(label), `${query}: no metric has ${label}`);
  const { length } = groupings.filter((label) => label !== 'le');
  return length > 0 ? groupings : known;
}

describe('ops/grafana-dashboard.json', () => {
  for (const { title, targets = [] } of dashboard.panels)
    test(`'${title}' queries existing metrics`, () => {
      for (const { expr, legendFormat } of targets) {
        const labels = check(expr);
        for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) assert.ok(labels.includes(label), expr);
      }
    });

  test('all its variables are defined, and all used variables exist', () => {
    const names = dashboard.templating.list.map(({ name }) => name);
    const [definition = ''] = dashboard.templating.list.flatMap((one) => one.definition ?? []);
    assert.match(definition, /^label_values\(queuectl_jobs, queue\)$/);
    assert.ok(labelsOf('queuectl_jobs').includes('queue'));
    const used = [...read('grafana-dashboard.json').matchAll(/\$\{?(\w+)/g)].map(([, name = '']) => name);
    assert.deepEqual([...new Set(used.filter((name) => !name.startsWith('__')))].sort(), names.sort());
  });

  test('panels have unique IDs and do not overlap', () => {
    const { panels } = dashboard;
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
    );
    assert.equal(new Set(cells).size, cells.length);
  });

  test('shows every kind of metric', () => {
    const shown = read('grafana-dashboard.json') + read('alerts.yaml');
    const inWords = ['queuectl_groups', 'queuectl_schedules', 'queuectl_next_schedule_timestamp_seconds'];
    const missing = [...told.families.keys()].filter((name) => !shown.includes(name) && !inWords.includes(name));
    assert.deepEqual(missing, []);
  });
});

describe('ops/alerts.yaml', () => {
  for (const { alert, expr, labels, annotations } of rules)
    test(`${alert} queries existing metrics and names a remedy`, () => {
      const known = check(expr);
      assert.ok(['info', 'warning', 'critical'].includes(labels.severity));
      for (const text of [annotations.summary, annotations.description])
        for (const [, label = ''] of text.matchAll(/\$labels\.(\w+)/g)) assert.ok(known.includes(label), text);
      assert.ok(annotations.description.length > 20);
    });

  test('names every failure outcome and no other', () => {
    const named = rules.find(({ alert }) => alert === 'QueuectlManyFailures')?.expr.match(/outcome=~"([^"]+)"/)?.[1];
    const fine = ['completed', 'snoozed', 'cancelled', 'released', 'worker_lost'];
    assert.deepEqual(named?.split('|').sort(), OUTCOMES.filter((outcome) => !fine.includes(outcome)).sort());
  });

  test("Prometheus' own tool accepts it where installed", () => {
    const file = path.join(repository, 'ops', 'alerts.yaml');
    const { error, status, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
    assert.ok(status === 0 || (error as NodeJS.ErrnoException)?.code === 'ENOENT', stderr);
    assert.ok(rules.length >= 7);
  });
});

describe('the query parser', () => {
  for (const query of [
    'rate(queuectl_jobs[5y])',
    'floor(queuectl_jobs)',
    'queuectl_jobs{',
    '1 + 1',
    'queuectl_jobs{a>"b"}',
  ])
    test(`rejects ${query}`, () => {
      assert.throws(() => parseQuery(query));
    });

  test('finds metrics, labels and values', () => {
    const query = 'sum by (a) (rate(m_total{b=~"x|y"}[5m])) / on (a) n > 0.5 unless max(o{c="d"}) == 1';
    assert.deepEqual(parseQuery(query), {
      selectors: [
        { metric: 'm_total', matchers: [{ label: 'b', operator: '=~', value: 'x|y' }] },
        { metric: 'n', matchers: [] },
        { metric: 'o', matchers: [{ label: 'c', operator: '=', value: 'd' }] },
      ],
      groupings: ['a', 'a'],
    });
  });

  test('an unknown metric, label or value is detected', () => {
    for (const query of [
      'queuectl_nothing',
      'queuectl_jobs{color="red"}',
      'queuectl_jobs{state="gone"}',
      'sum by (x) (queuectl_jobs)',
    ])
      assert.throws(() => check(query), query);
  });
});
