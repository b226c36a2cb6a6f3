// Package recipes for other systems: packaging/ has them with placeholders for the version and checksums of a release.

import fs from 'node:fs';
import path from 'node:path';

const packaging = path.join(import.meta.dirname, '..', '..', 'packaging');

export const RECIPES = ['homebrew/queuectl.rb', 'aur/PKGBUILD', 'rpm/queuectl.spec'];

/** `digests` has the SHA-256 of the archive of each platform. */
export function recipe(name: string, version: string, digests: ReadonlyMap<string, string>): string {
  const text = fs.readFileSync(path.join(packaging, name), 'utf8');
  return text.replaceAll('@VERSION@', version).replace(/@SHA256:([^@]+)@/g, (_, platform: string) => {
    const digest = digests.get(platform);
    if (digest === undefined) throw new Error(`${name} needs the archive for ${platform}`);
    return digest;
  });
}
