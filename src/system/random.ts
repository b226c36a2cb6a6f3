// Random bytes for IDs, which must be unique but not secret. Math.random, seeded by the system in every process, avoids
// loading a cryptographic library.

export function randomBytes(count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  for (let i = 0; i < count; i++) bytes[i] = Math.random() * 256;
  return bytes;
}
