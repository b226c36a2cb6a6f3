// The Kubernetes example, compared with the container image and with the parts of the Kubernetes schema that it uses.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { QUEUECTL } from '../cli/support.ts';
import { repository } from '../setup/clone.ts';

const read = (file: string): string => fs.readFileSync(path.join(repository, 'ops', file), 'utf8');

const labels = z.record(z.string().regex(/^[a-z0-9./-]{1,63}$/), z.string().regex(/^[\w.-]{0,63}$/));
const name = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
const metadata = z.strictObject({ name, labels });
const quantity = z.string().regex(/^\d+(m|Mi|Gi)?$/);
const seconds = z.int().positive();
const port = z.union([z.int().min(1).max(65_535), name]);

const timing = {
  initialDelaySeconds: seconds.optional(),
  periodSeconds: seconds,
  timeoutSeconds: seconds.optional(),
  failureThreshold: seconds.optional(),
};
const probe = z.union([
  z.strictObject({ exec: z.strictObject({ command: z.array(z.string()).min(1) }), ...timing }),
  z.strictObject({
    httpGet: z.strictObject({
      path: z.string().startsWith('/'),
      port,
      httpHeaders: z.array(z.strictObject({ name: z.string(), value: z.string() })),
    }),
    ...timing,
  }),
]);

const container = z.strictObject({
  name,
  image: z.string(),
  args: z.array(z.string()),
  env: z.array(
    z.union([
      z.strictObject({ name: z.string(), value: z.string() }),
      z.strictObject({
        name: z.string(),
        valueFrom: z.strictObject({ secretKeyRef: z.strictObject({ name, key: z.string() }) }),
      }),
    ]),
  ),
  ports: z.array(z.strictObject({ name, containerPort: z.int() })).optional(),
  resources: z.strictObject({
    requests: z.strictObject({ cpu: quantity, memory: quantity }),
    limits: z.strictObject({ memory: quantity }),
  }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  readinessProbe: probe,
  livenessProbe: probe,
  volumeMounts: z.array(z.strictObject({ name, mountPath: z.string(), readOnly: z.literal(true) })),
});

const deployment = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  metadata,
  spec: z.strictObject({
    replicas: z.int().positive(),
    selector: z.strictObject({ matchLabels: labels }),
    template: z.strictObject({
      metadata: z.strictObject({ labels }),
      spec: z.strictObject({
        terminationGracePeriodSeconds: seconds,
        automountServiceAccountToken: z.literal(false),
        securityContext: z.strictObject({
          runAsNonRoot: z.literal(true),
          runAsUser: z.literal(1000),
          runAsGroup: z.literal(1000),
          fsGroup: z.literal(1000),
          seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
        }),
        containers: z.array(container).length(1),
        volumes: z.array(
          z.strictObject({
            name,
            secret: z.strictObject({
              secretName: name,
              defaultMode: z.literal(0o440),
              items: z.array(z.strictObject({ key: z.string(), path: z.string() })),
            }),
          }),
        ),
      }),
    }),
  }),
});

const secret = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Secret'),
  metadata,
  type: z.literal('Opaque'),
  stringData: z.record(z.string(), z.string()),
});

const service = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Service'),
  metadata,
  spec: z.strictObject({
    selector: labels,
    ports: z.array(z.strictObject({ name, port: z.int(), targetPort: port })),
  }),
});

const documents = parseAllDocuments(read('kubernetes.yaml')).map((one) => one.toJS());
const [theSecret, worker, server, theService] = z.tuple([secret, deployment, deployment, service]).parse(documents);

const podOf = ({ spec }: typeof worker) => spec.template.spec;
const containerOf = (one: typeof worker) => podOf(one).containers[0] as z.infer<typeof container>;

describe('the Kubernetes example', () => {
  test('selects its own pods', () => {
    for (const { spec } of [worker, server]) assert.deepEqual(spec.selector.matchLabels, spec.template.metadata.labels);
    assert.notDeepEqual(worker.spec.selector, server.spec.selector);
    assert.deepEqual(theService.spec.selector, server.spec.selector.matchLabels);
    assert.equal(theService.spec.ports[0]?.targetPort, containerOf(server).ports?.[0]?.name);
  });

  test('names only keys of its secret, and mounts the password where its variable says', () => {
    const keys = Object.keys(theSecret.stringData);
    for (const one of [worker, server]) {
      const { env, volumeMounts } = containerOf(one);
      const [{ name: volume, secret: source } = { name: '', secret: null }] = podOf(one).volumes;
      assert.equal(source?.secretName, theSecret.metadata.name);
      for (const variable of env)
        if ('valueFrom' in variable) {
          assert.equal(variable.valueFrom.secretKeyRef.name, theSecret.metadata.name);
          assert.ok(keys.includes(variable.valueFrom.secretKeyRef.key));
        }
      for (const { key } of source?.items ?? []) assert.ok(keys.includes(key));
      assert.equal(volumeMounts[0]?.name, volume);
      const file = env.find((variable) => variable.name === 'DATABASE_PASSWORD_FILE');
      assert.ok(file && 'value' in file);
      assert.equal(file.value, `${volumeMounts[0]?.mountPath}/${source?.items[0]?.path}`);
    }
    assert.doesNotMatch(theSecret.stringData['database-url'] ?? '', /:\/\/[^@/]*:/, 'jobs inherit the address');
  });

  test('uses the user, the port and the checks of the image', () => {
    const image = read('Containerfile');
    assert.match(image, new RegExp(`^USER ${podOf(worker).securityContext.runAsUser}:`, 'm'));
    const { args, ports } = containerOf(server);
    assert.match(image, new RegExp(`^EXPOSE ${ports?.[0]?.containerPort}$`, 'm'));
    assert.equal(args[args.indexOf('--port') + 1], String(ports?.[0]?.containerPort));
    for (const { exec } of [containerOf(worker).readinessProbe, containerOf(worker).livenessProbe].map((one) =>
      z.object({ exec: z.object({ command: z.array(z.string()) }) }).parse(one),
    )) {
      const [program = '', check = ''] = exec.command;
      assert.match(image, new RegExp(`/usr/local/bin/${program}$`, 'm'));
      assert.match(read('container-health.sh'), new RegExp(`^  ${check}\\) `, 'm'));
    }
  });

  test('uses existing commands and options, and the version of this program', () => {
    const { version } = JSON.parse(fs.readFileSync(path.join(repository, 'package.json'), 'utf8')) as {
      version: string;
    };
    for (const { args, image } of [containerOf(worker), containerOf(server)]) {
      const at = args.findIndex((word) => word.startsWith('--'));
      const { stdout, status } = spawnSync(QUEUECTL, [...args.slice(0, at), '--help'], { encoding: 'utf8' });
      assert.equal(status, 0);
      for (const flag of args.filter((word) => word.startsWith('--'))) assert.match(stdout, new RegExp(`${flag}\\b`));
      assert.ok(image.endsWith(`:${version}`), image);
    }
  });

  test('gives running jobs of a worker time to finish', () => {
    assert.ok(podOf(worker).terminationGracePeriodSeconds >= 3600);
  });
});
