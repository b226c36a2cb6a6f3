// Formats times in ISO 8601 UTC. Caches the current second, because logs and lists have many times of the same second
// and formatting takes three microseconds.

let second = Number.NaN;
let text = '';

export function isoOf(ms: number): string {
  const inSecond = Math.floor(ms / 1000);
  if (inSecond !== second) {
    text = new Date(inSecond * 1000).toISOString().slice(0, -4);
    second = inSecond;
  }
  return `${text}${String(Math.floor(ms) - inSecond * 1000).padStart(3, '0')}Z`;
}
