// Secrets as data: their names and who set them, never a value. The same for the command line and for HTTP.

import { isoTime, type Json } from '../job/wire.ts';
import type { SecretEntry } from '../secrets/secrets.ts';

export const secretToJson = ({ name, createdAt, createdBy, isReadable }: SecretEntry): Json => ({
  name,
  created_at: isoTime(createdAt),
  created_by: createdBy,
  is_readable: isReadable,
});
