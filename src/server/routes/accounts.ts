// Users and tokens for access over HTTP.

import { z } from 'zod';
import { tokenToJson, userToJson } from '../../report/accounts.ts';
import { route } from '../route.ts';
import { newTokenSchema, roleSchema, tokenSchema, userSchema } from '../schema/account.ts';

export const accountRoutes = [
  route({
    id: 'listUsers',
    summary: 'List users',
    role: 'admin',
    answers: { 200: { help: 'Users', schema: z.object({ users: z.array(userSchema), next: z.null() }) } },
    handle: async ({ queue }) => {
      const users = await (await queue.accounts()).users();
      return { json: { users: users.map(userToJson), next: null } };
    },
  }),
  route({
    id: 'addUser',
    summary: 'Create a user with a password',
    role: 'admin',
    body: z.strictObject({ name: z.string(), role: roleSchema, password: z.string() }),
    answers: { 201: { help: 'The user', schema: userSchema } },
    handle: async ({ queue, body, principal }) => {
      const user = await (await queue.accounts()).addUser(body, principal.name);
      return { status: 201, json: userToJson(user) };
    },
  }),
  route({
    id: 'removeUser',
    endsSessions: true,
    summary: 'Delete a user and end the user’s sessions',
    role: 'admin',
    parameters: z.object({ name: z.string() }),
    answers: { 204: { help: 'Deleted' } },
    handle: async ({ queue, path }) => {
      await (await queue.accounts()).removeUser(path.name);
      return { status: 204, json: null };
    },
  }),
  route({
    id: 'listTokens',
    summary: 'List tokens without their secrets',
    role: 'admin',
    answers: { 200: { help: 'Tokens', schema: z.object({ tokens: z.array(tokenSchema), next: z.null() }) } },
    handle: async ({ queue }) => {
      const tokens = await (await queue.accounts()).tokens();
      return { json: { tokens: tokens.map(tokenToJson), next: null } };
    },
  }),
  route({
    id: 'addToken',
    summary: 'Create a token; its secret is returned only once',
    role: 'admin',
    body: z.strictObject({
      name: z.string(),
      role: roleSchema,
      expires: z
        .string()
        .optional()
        .describe('Duration such as 30d until the token expires; if absent, it never expires'),
    }),
    answers: { 201: { help: 'The token with its secret', schema: newTokenSchema } },
    handle: async ({ queue, body, principal }) => {
      const { token, secret } = await (await queue.accounts()).addToken(body, principal.name);
      return { status: 201, json: { ...tokenToJson(token), secret } };
    },
  }),
  route({
    id: 'removeToken',
    endsSessions: true,
    summary: 'Delete a token and end its sessions',
    role: 'admin',
    parameters: z.object({ id: z.string() }),
    answers: { 204: { help: 'Deleted' } },
    handle: async ({ queue, path }) => {
      await (await queue.accounts()).removeToken(path.id);
      return { status: 204, json: null };
    },
  }),
];
