// Rejects requests that another site caused a browser to send, whatever credentials they contain. Browsers report the
// origin in Sec-Fetch-Site, which pages cannot forge. A client without the header is not a browser and needs a token.

import { QueueError } from '../../errors/errors.ts';

const HARMLESS = ['GET', 'HEAD'];

/** `hasToken` means credentials that a browser never sends automatically. */
export function checkOrigin(request: Request, hasToken: boolean): void {
  const site = request.headers.get('sec-fetch-site');
  const isChange = !HARMLESS.includes(request.method);
  const isFine = site === 'same-origin' || (site === null && (hasToken || !isChange));
  if (!isFine && !(site === 'none' && !isChange)) throw new QueueError('cross_site');
  if (isChange) checkType(request);
}

/** HTML forms cannot send these types, so this is a second check against forms of other sites. */
const NOT_OF_FORMS = ['application/json', 'application/octet-stream'];

function checkType({ headers }: Request): void {
  const type = headers.get('content-type');
  const hasBody = headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > 0;
  if (type === null && !hasBody) return;
  if (!NOT_OF_FORMS.includes(type?.split(';')[0]?.trim().toLowerCase() ?? ''))
    throw new QueueError('not_json', { type: type ?? 'none' });
}
