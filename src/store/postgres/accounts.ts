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
import type { Connection, Session } from './session/connection.ts';

const REPEATABLE = { isRepeatable: true };

export function accountsOf(connection: Connection): Accounts {
  const rows = async (text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await connection.query(text, values)).rows;
  const changes = (text: string, values: readonly unknown[]): Promise<number> =>
    connection.write(async (session) => (await session.sql(text, values)).count, REPEATABLE);
  const add = (text: string, values: readonly unknown[], proof: string): Promise<boolean> =>
    connection.write(async (session) => {
      session.provenBy(proof, [values[0], values[3]]);
      return (await session.sql(text, values)).count === 1;
    });
  const remove = (kind: string, principal: string, text: string): Promise<boolean> =>
    connection.write(async (session) => {
      await endSessions(session, kind, principal);
      return (await session.sql(text, [principal])).count === 1;
    }, REPEATABLE);
  return {
    users: async () => (await rows(`SELECT ${USER_COLUMNS} FROM users ORDER BY name`)).map(userOf),
    user: async (name) =>
      (await rows(`SELECT ${USER_COLUMNS} FROM users WHERE name = $1`, [name])).map(userOf)[0] ?? null,
    addUser: (user) => add(ADD_USER, userValues(user), HAS_USER),
    removeUser: (name) => remove('user', name, 'DELETE FROM users WHERE name = $1'),

    tokens: async () =>
      (await rows(`SELECT ${TOKEN_COLUMNS} FROM tokens ORDER BY created_at, id`)).map(tokenOf),
    tokenWith: async (hash) =>
      (await rows(`SELECT ${TOKEN_COLUMNS} FROM tokens WHERE hash = $1`, [hash])).map(tokenOf)[0] ?? null,
    addToken: (token) => add(ADD_TOKEN, tokenValues(token), HAS_TOKEN),
    tokenUsed: async (id, at) => {
      await changes('UPDATE tokens SET last_used_at = $1 WHERE id = $2', [at, id]);
    },
    removeToken: (id) => remove('token', id, 'DELETE FROM tokens WHERE id = $1'),

    addSession: async (session) => {
      await changes(ADD_SESSION, sessionValues(session));
    },
    sessionWith: async (hash) => (await rows(sessionQuery('$1'), [hash])).map(sessionOf)[0] ?? null,
    removeSession: async (hash) => (await changes('DELETE FROM sessions WHERE hash = $1', [hash])) === 1,
    forgetSessions: (endedBefore) => changes('DELETE FROM sessions WHERE expires_at < $1', [endedBefore]),
  };
}

const endSessions = (session: Session, kind: string, principal: string): Promise<unknown> =>
  session.sql('DELETE FROM sessions WHERE kind = $1 AND principal = $2', [kind, principal]);

const ADD_USER = `INSERT INTO users (${USER_COLUMNS}) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`;
const HAS_USER = 'SELECT 1 FROM users WHERE name = $1 AND created_at = $2';
const ADD_TOKEN = `INSERT INTO tokens (${TOKEN_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`;
const HAS_TOKEN = 'SELECT 1 FROM tokens WHERE id = $1 AND hash = $2';
const ADD_SESSION = `
  INSERT INTO sessions (${SESSION_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`;
