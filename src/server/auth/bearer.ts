// The token in the Authorization header of a request.

export function bearerOf(request: Request): string | null {
  const [scheme, token] = (request.headers.get('authorization') ?? '').split(/\s+/, 2);
  return scheme?.toLowerCase() === 'bearer' && token ? token : null;
}
