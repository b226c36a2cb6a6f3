// The files of an installation below /usr: the executable, manual pages, completions, license and service templates.

import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { SCRIPTS } from '../../src/cli/completion/scripts.ts';
import type { Entry } from './archive.ts';
import { manualFiles } from './manual.ts';

const root = path.join(import.meta.dirname, '..', '..');
const read = (name: string): Buffer => fs.readFileSync(path.join(root, name));

const file = (where: string, content: Buffer | string, mode = 0o644): Entry => ({
  path: where,
  mode,
  content: Buffer.from(content),
});

/** Relative to the prefix, such as /usr. Debian compresses manual pages and has a directory of its own for zsh. */
export async function sharedFiles(date: Date, { isDebian }: { readonly isDebian: boolean }): Promise<Entry[]> {
  const manuals = (await manualFiles(date)).map(({ path: where, text }) =>
    isDebian ? file(`share/man/${where}.gz`, gzipSync(text, { level: 9 })) : file(`share/man/${where}`, text),
  );
  const zsh = `share/zsh/${isDebian ? 'vendor-completions' : 'site-functions'}/_queuectl`;
  return [
    ...manuals,
    file('share/bash-completion/completions/queuectl', SCRIPTS.bash),
    file(zsh, SCRIPTS.zsh),
    file('share/fish/vendor_completions.d/queuectl.fish', SCRIPTS.fish),
  ];
}

export const licenses = (): Entry[] => [
  file('LICENSE', read('LICENSE')),
  file('THIRD-PARTY-LICENSES', read('THIRD-PARTY-LICENSES')),
];

export const units = (): Entry[] =>
  ['queuectl-worker@.service', 'queuectl-server@.service'].map((name) => file(name, read(`packaging/systemd/${name}`)));

export const executable = (content: Buffer): Entry => file('bin/queuectl', content, 0o755);

export const moved = (entries: readonly Entry[], folder: string): Entry[] =>
  entries.map((entry) => ({ ...entry, path: `${folder}/${entry.path}` }));
