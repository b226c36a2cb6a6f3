// Chance for ids. They must not repeat, but need not be secret: Math.random, seeded by the system in every process,
// does it without the time it takes to load a cryptographic library.

export function randomBytes(count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  for (let i = 0; i < count; i++) bytes[i] = Math.random() * 256;
  return bytes;
}
