// Disables time series in a program (--import), so that both sides of a comparison use the same sources.

import { registerHooks } from 'node:module';

const NOTHING = `
  export class Tallies {
    static ofEnqueued() { return new Tallies(); }
    isEmpty = true;
    texts() { return []; }
    enqueued() { return this; }
    cancelled() { return this; }
    skippedTicks() { return this; }
    started() {}
    ended() {}
    turnTook() {}
  }`;

registerHooks({
  load: (url, context, next) =>
    url.endsWith('/src/series/tallies.ts')
      ? { format: 'module', source: NOTHING, shortCircuit: true }
      : next(url, context),
});
