// Users, tokens and sessions.

import {
  SESSION_COLUMNS,
  sessionOf,
  sessionQuery,
  sessionValues,
  TOKEN_COLUMNS,
  tokenOf,
  tokenValues,
  USER_COLUMNS,
  userOf,
  userValues,
} from '../rows/access-rows.ts';
import type { Row } from '../rows/rows.ts';
import type { Accounts } from '../store.ts';
import type { Connection } from './connection.ts';

export function accountsOf(connection: Connection): Accounts {
  const rows = (text: string, ...values: (string | number)[]): Promise<Row[]> =>
    connection.read(() => connection.sql(text).all(...values) as Row[]);
  const changes = (text: string, values: readonly (string | number | null)[]): Promise<number> =>
    connection.write(() => Number(connection.sql(text).run(...values).changes));
  const remove = (kind: string, principal: string, text: string): Promise<boolean> =>
    connection.write(() => {
      connection.sql('DELETE FROM sessions WHERE kind = ? AND principal = ?').run(kind, principal);
      return connection.sql(text).run(principal).changes === 1;
    });
  return {
    users: async () => (await rows(`SELECT ${USER_COLUMNS} FROM users ORDER BY name`)).map(userOf),
    user: async (name) =>
      (await rows(`SELECT ${USER_COLUMNS} FROM users WHERE name = ?`, name)).map(userOf)[0] ?? null,
    addUser: async (user) => (await changes(ADD_USER, userValues(user))) === 1,
    removeUser: (name) => remove('user', name, 'DELETE FROM users WHERE name = ?'),

    tokens: async () =>
      (await rows(`SELECT ${TOKEN_COLUMNS} FROM tokens ORDER BY created_at, id`)).map(tokenOf),
    tokenWith: async (hash) =>
      (await rows(`SELECT ${TOKEN_COLUMNS} FROM tokens WHERE hash = ?`, hash)).map(tokenOf)[0] ?? null,
    addToken: async (token) => (await changes(ADD_TOKEN, tokenValues(token))) === 1,
    tokenUsed: async (id, at) => {
      await changes('UPDATE tokens SET last_used_at = ? WHERE id = ?', [at, id]);
    },
    removeToken: (id) => remove('token', id, 'DELETE FROM tokens WHERE id = ?'),

    addSession: async (session) => {
      await changes(ADD_SESSION, sessionValues(session));
    },
    sessionWith: async (hash) => (await rows(sessionQuery('?'), hash)).map(sessionOf)[0] ?? null,
    removeSession: async (hash) => (await changes('DELETE FROM sessions WHERE hash = ?', [hash])) === 1,
    forgetSessions: (endedBefore) => changes('DELETE FROM sessions WHERE expires_at < ?', [endedBefore]),
  };
}

const ADD_USER = `INSERT OR IGNORE INTO users (${USER_COLUMNS}) VALUES (?, ?, ?, ?, ?)`;
const ADD_TOKEN = `INSERT OR IGNORE INTO tokens (${TOKEN_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const ADD_SESSION = `INSERT INTO sessions (${SESSION_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`;
