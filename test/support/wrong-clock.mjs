// Preloaded into a program whose clock is to be wrong: by so many ms as the file says, looked at now and then. Another
// file does the same to the clock that nobody can set: to the program it looks as if everybody else's clock jumped.

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

if (process.env.MONOTONIC_OFFSET_FILE) {
  const real = performance.now.bind(performance);
  let [askedAt, ahead] = [Number.NEGATIVE_INFINITY, 0];
  performance.now = () => {
    if (real() - askedAt > 20) {
      askedAt = real();
      ahead = Number(readFileSync(process.env.MONOTONIC_OFFSET_FILE, 'utf8'));
    }
    return real() + ahead;
  };
}

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(wrongNow());
    else super(...given);
  }
  static now = wrongNow;
};
