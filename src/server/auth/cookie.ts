// The session cookie. Its name contains the port, because browsers share cookies between ports. Over TLS, the prefix
// __Host- restricts it to this host.

/** Port of the server, and whether the client uses TLS. */
export interface Entrance {
  readonly port: number;
  readonly isSecure: boolean;
}

const nameFor = ({ port, isSecure }: Entrance): string => `${isSecure ? '__Host-' : ''}queuectl-session-${port}`;

export function cookieOf(request: Request, entrance: Entrance): string | null {
  const name = `${nameFor(entrance)}=`;
  const parts = (request.headers.get('cookie') ?? '').split(';').map((part) => part.trim());
  return parts.find((part) => part.startsWith(name))?.slice(name.length) || null;
}

export const cookieFor = (entrance: Entrance, secret: string, lifetimeMs: number): string =>
  [`${nameFor(entrance)}=${secret}`, ...attributesOf(entrance), `Max-Age=${Math.floor(lifetimeMs / 1000)}`].join('; ');

export const noCookieFor = (entrance: Entrance): string =>
  [`${nameFor(entrance)}=`, ...attributesOf(entrance), 'Max-Age=0'].join('; ');

const attributesOf = ({ isSecure }: Entrance): string[] => [
  'Path=/',
  'HttpOnly',
  'SameSite=Strict',
  ...(isSecure ? ['Secure'] : []),
];
