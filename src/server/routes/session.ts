// Login and logout: exchanges a token or a password for a cookie.

import { z } from 'zod';
import { route } from '../route.ts';
import { sessionSchema } from '../schema/account.ts';

const secret = z.string().min(1).max(1024);

export const sessionRoutes = [
  route({
    id: 'login',
    summary: 'Log in with a token, or with a name and a password; returns a cookie',
    role: 'viewer',
    isOpen: true,
    changes: false,
    body: z.union([
      z.strictObject({ token: secret }),
      z.strictObject({ user: z.string().min(1).max(64), password: secret }),
    ]),
    answers: { 204: { help: 'Logged in; the header Set-Cookie contains the cookie' } },
    handle: async ({ server, body, request }) => {
      const cookie = await server.gate.login(body, request, server.peer, server.ports);
      return { status: 204, json: null, headers: { 'set-cookie': cookie } };
    },
  }),
  route({
    id: 'getSession',
    summary: 'Get the current user and the database',
    role: 'viewer',
    answers: { 200: { help: 'The current user', schema: sessionSchema } },
    handle: async ({ queue, principal, server }) => ({
      json: {
        name: principal.name,
        role: principal.role,
        read_only: server.isReadOnly,
        version: server.version,
        database: queue.place.name,
      },
    }),
  }),
  route({
    id: 'logout',
    endsSessions: true,
    summary: 'Log out and invalidate the cookie',
    role: 'viewer',
    isOpen: true,
    changes: false,
    answers: { 204: { help: 'Logged out' } },
    handle: async ({ server, request }) => ({
      status: 204,
      json: null,
      headers: { 'set-cookie': await server.gate.logout(request) },
    }),
  }),
];
