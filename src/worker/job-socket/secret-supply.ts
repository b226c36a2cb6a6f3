// Generates unguessable secrets in batches, because the call for random bytes costs more than the bytes.

const [SECRET_BYTES, SECRETS_AT_ONCE] = [32, 64];

export class SecretSupply {
  private left: Buffer = Buffer.alloc(0);

  next(): string {
    if (this.left.length < SECRET_BYTES) {
      const { randomBytes } = process.getBuiltinModule('node:crypto'); // most workers never need it
      this.left = randomBytes(SECRETS_AT_ONCE * SECRET_BYTES);
    }
    const secret = this.left.toString('base64url', 0, SECRET_BYTES);
    this.left = this.left.subarray(SECRET_BYTES);
    return secret;
  }
}
