// Default address of a server.

export const DEFAULT_PORT = 7777;
export const DEFAULT_HOST = '127.0.0.1';
