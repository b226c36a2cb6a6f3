// Serves the files of the dashboard. They are read once at the start, so that a later build cannot mix with them.
// Assets are named by content and cached forever. Any other path is a location inside the dashboard and returns
// index.html.

import { basename, dirname, extname } from 'node:path';
import type { BuiltPage } from './built-page.ts';

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

export function readPage(built: BuiltPage): PageFiles {
  const index = built.read('index.html');
  const assets = readAssets(built);
  return {
    answer(request) {
      const { pathname } = new URL(request.url);
      if (!pathname.startsWith('/assets/')) return indexResponse(index);
      const asset = assets.get(basename(pathname));
      return asset ? assetResponse(asset, request) : null;
    },
  };
}

function readAssets(built: BuiltPage): Map<string, Asset> {
  const names = built.names().filter((name) => dirname(name) === 'assets' && extname(name) in TYPES);
  return new Map(
    names.filter((name) => !basename(name).startsWith('.')).map((name) => [basename(name), readAsset(built, name)]),
  );
}

function readAsset({ read }: BuiltPage, name: string): Asset {
  const encoded = ENCODINGS.map(([encoding, ending]) => [encoding, read(`${name}${ending}`)]);
  return {
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    plain: read(name),
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
