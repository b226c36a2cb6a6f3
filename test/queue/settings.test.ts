// Settings that a program reads and changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openQueue } from '../support/library.ts';
import { rejection } from '../support/rejection.ts';

test('a setting can be set by any of its names, and is returned as parsed', async (t) => {
  const queue = await openQueue(t);
  assert.deepEqual(await queue.setSetting('retries', '4'), { key: 'max_retries', value: 4 });
  assert.deepEqual(await queue.setSetting('lease-duration', '2m'), { key: 'lease_duration', value: 120 });
  const settings = await queue.settings();
  assert.deepEqual([settings.number('max_retries'), settings.source('max_retries')], [4, 'stored']);
  assert.equal(settings.ms('lease_duration'), 120_000);
});

test('a reset setting has its default again', async (t) => {
  const queue = await openQueue(t);
  await queue.setSetting('max_retries', '4');
  assert.equal(await queue.unsetSetting('retries'), 'max_retries');
  const settings = await queue.settings();
  assert.deepEqual([settings.number('max_retries'), settings.source('max_retries')], [3, 'default']);
});

test('an unknown name and an invalid value are distinguished, and nothing is stored', async (t) => {
  const queue = await openQueue(t);
  await rejection('unknown_setting', () => queue.setSetting('max_retrys', '4'));
  await rejection('unknown_setting', () => queue.unsetSetting('max_retrys'));
  await rejection('invalid_setting', () => queue.setSetting('max_retries', 'many'));
  assert.deepEqual(await queue.store.settings(), {});
});

test('an invalid setting in the environment is rejected when the queue is opened', async (t) => {
  await rejection('invalid_setting', () => openQueue(t, { environment: { QUEUECTL_MAX_RETRIES: 'many' } }));
});
