// Serves the files of the dashboard. They are read once at the start, so that a later build cannot mix with them.
// Assets are named by content and cached forever. Any other path is a location inside the dashboard and returns
// index.html.

import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';

export interface PageFiles {
  /** Returns null for an unknown asset. */
  answer(request: Request): Response | null;
}

type Encoding = 'br' | 'gzip';

interface Asset {
  readonly type: string;
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly encoded: Readonly<Partial<Record<Encoding, Uint8Array<ArrayBuffer>>>>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const ENCODINGS: readonly (readonly [Encoding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];
const FOREVER = 'public, max-age=31536000, immutable';

/** Reads a directory written by scripts/build-page.ts. */
export function readPage(folder: string): PageFiles {
  const index = readFileSync(join(folder, 'index.html'));
  const assets = readAssets(join(folder, 'assets'));
  return {
    answer(request) {
      const { pathname } = new URL(request.url);
      if (!pathname.startsWith('/assets/')) return indexResponse(index);
      const asset = assets.get(basename(pathname));
      return asset ? assetResponse(asset, request) : null;
    },
  };
}

function readAssets(folder: string): Map<string, Asset> {
  const names = readdirSync(folder).filter((name) => extname(name) in TYPES && !name.startsWith('.'));
  return new Map(names.map((name) => [name, readAsset(join(folder, name))]));
}

function readAsset(file: string): Asset {
  const encoded = ENCODINGS.map(([encoding, ending]) => [encoding, readFileSync(`${file}${ending}`)]);
  return {
    type: TYPES[extname(file)] ?? 'application/octet-stream',
    plain: readFileSync(file),
    encoded: Object.fromEntries(encoded),
  };
}

/** Never cached, because it refers to the assets of the current build. */
const indexResponse = (index: Uint8Array<ArrayBuffer>): Response =>
  new Response(index, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
  });

function assetResponse({ type, plain, encoded }: Asset, request: Request): Response {
  const accepted = (request.headers.get('accept-encoding') ?? '').toLowerCase();
  const [encoding] =
    ENCODINGS.find(([name]) => new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(\\.0*)?\\b)`).test(accepted)) ?? [];
  return new Response((encoding && encoded[encoding]) || plain, {
    headers: {
      'content-type': type,
      'cache-control': FOREVER,
      vary: 'accept-encoding',
      ...(encoding && { 'content-encoding': encoding }),
    },
  });
}
