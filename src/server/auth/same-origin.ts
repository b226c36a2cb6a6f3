// Requests that another site made a browser send are refused, whatever they carry. Browsers say where a request comes from
// (Sec-Fetch-Site) and no page can forge that; whatever says nothing is no browser, and has to prove itself by a token.

import { QueueError } from '../../errors/errors.ts';

const HARMLESS = ['GET', 'HEAD'];

/** `hasToken`: it proves who sends it by something that no browser sends by itself. */
export function checkOrigin(request: Request, hasToken: boolean): void {
  const site = request.headers.get('sec-fetch-site');
  const isChange = !HARMLESS.includes(request.method);
  const isFine = site === 'same-origin' || (site === null && (hasToken || !isChange));
  if (!isFine && !(site === 'none' && !isChange)) throw new QueueError('cross_site');
  if (isChange) checkType(request);
}

/** What forms can send is neither of these, so a form of another site fails here once more. */
const NOT_OF_FORMS = ['application/json', 'application/octet-stream'];

function checkType({ headers }: Request): void {
  const type = headers.get('content-type');
  const hasBody = headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > 0;
  if (type === null && !hasBody) return;
  if (!NOT_OF_FORMS.includes(type?.split(';')[0]?.trim().toLowerCase() ?? ''))
    throw new QueueError('not_json', { type: type ?? 'none' });
}
