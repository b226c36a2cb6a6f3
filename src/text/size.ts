// Sizes such as 512M, 1G, 1.5GiB, or a number of bytes. Units are powers of 1024, as in ulimit and systemd.

const POWERS: Readonly<Record<string, number>> = { '': 0, k: 1, m: 2, g: 3, t: 4, p: 5 };
const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** Returns whole bytes, or null if the text is invalid. */
export function parseBytes(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*([kmgtp]?)(?:i?b|bytes?)?$/.exec(text.trim().toLowerCase());
  if (!match) return null;
  const bytes = Math.round(Number(match[1]) * 1024 ** (POWERS[match[2] ?? ''] ?? 0));
  return Number.isSafeInteger(bytes) ? bytes : null;
}

/** Returns '512 MiB', '1.5 GiB' or '120 bytes': short, with little rounding. */
export function sizeText(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} ${UNITS[power]}`;
}
