// Preloaded into a program whose clock is to be wrong: by so many ms as the file says, looked at now and then.

import { readFileSync } from 'node:fs';

const { now } = Date;
const RealDate = Date;
let lookedAt = Number.NEGATIVE_INFINITY;
let offset = 0;

function wrongNow() {
  if (performance.now() - lookedAt > 20) {
    lookedAt = performance.now();
    offset = Number(readFileSync(process.env.CLOCK_OFFSET_FILE, 'utf8'));
  }
  return now() + offset;
}

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(wrongNow());
    else super(...given);
  }
  static now = wrongNow;
};
