// Users, tokens and sessions.

import type { Accounts, FoundSession, Session, Token, User } from '../port/accounts.ts';
import { columnsFor } from '../rows/columns.ts';
import { change, type Database, provenBy, REPEATABLE, run } from '../sql/database.ts';
import { insertInto, raw, type Sql, sql, unlessPresent } from '../sql/statement.ts';

const USER = columnsFor<User>('name', 'role', 'passwordHash', 'createdAt', 'createdBy');
const TOKEN = columnsFor<Token>(
  'id', 'name', 'role', 'hash', 'createdAt', 'createdBy', 'expiresAt', 'lastUsedAt',
); // biome-ignore format: a list of words
const SESSION = columnsFor<Session>('hash', 'kind', 'principal', 'role', 'createdAt', 'expiresAt');

const FOUND_SESSION = columnsFor<FoundSession>(
  'hash', 'kind', 'principal', 'role', 'createdAt', 'expiresAt', 'name',
); // biome-ignore format: a list of words

const USERS = raw(`SELECT ${USER.list} FROM users`);
const TOKENS = raw(`SELECT ${TOKEN.list} FROM tokens`);

export function accountsOf(database: Database): Accounts {
  const add = (insert: Sql, proof: Sql): Promise<boolean> =>
    database.write(function* () {
      yield* provenBy(proof);
      return (yield* run(unlessPresent(insert))).count === 1;
    }, {});
  const remove = (kind: Session['kind'], principal: string, account: Sql): Promise<boolean> =>
    database.write(function* () {
      yield* run(sql`DELETE FROM sessions WHERE kind = ${kind} AND principal = ${principal}`);
      return (yield* run(account)).count === 1;
    }, REPEATABLE);
  return {
    users: async () => (await database.rows(sql`${USERS} ORDER BY name`)).map(USER.recordOf),
    user: async (name) => (await database.rows(sql`${USERS} WHERE name = ${name}`)).map(USER.recordOf)[0] ?? null,
    addUser: (user) =>
      add(
        insertInto('users', USER.list, USER.valuesOf(user)),
        sql`SELECT 1 FROM users WHERE name = ${user.name} AND created_at = ${user.createdAt}`,
      ),
    removeUser: (name) => remove('user', name, sql`DELETE FROM users WHERE name = ${name}`),

    tokens: async () => (await database.rows(sql`${TOKENS} ORDER BY created_at, id`)).map(TOKEN.recordOf),
    tokenWith: async (hash) =>
      (await database.rows(sql`${TOKENS} WHERE hash = ${hash}`)).map(TOKEN.recordOf)[0] ?? null,
    addToken: (token) =>
      add(
        insertInto('tokens', TOKEN.list, TOKEN.valuesOf(token)),
        sql`SELECT 1 FROM tokens WHERE id = ${token.id} AND hash = ${token.hash}`,
      ),
    tokenUsed: async (id, at) => {
      await change(database, sql`UPDATE tokens SET last_used_at = ${at} WHERE id = ${id}`);
    },
    removeToken: (id) => remove('token', id, sql`DELETE FROM tokens WHERE id = ${id}`),

    addSession: async (session) => {
      await change(database, unlessPresent(insertInto('sessions', SESSION.list, SESSION.valuesOf(session))));
    },
    sessionWith: async (hash) => (await database.rows(sessionQuery(hash))).map(FOUND_SESSION.recordOf)[0] ?? null,
    removeSession: async (hash) => (await change(database, sql`DELETE FROM sessions WHERE hash = ${hash}`)) === 1,
    forgetSessions: (endedBefore) => change(database, sql`DELETE FROM sessions WHERE expires_at < ${endedBefore}`),
  };
}

/**
 * A session is valid only while its account exists: a session that began while its account was being removed must not pass to
 * a later account of the same name.
 */
const sessionQuery = (hash: string): Sql => sql`
  SELECT s.hash, s.kind, s.principal, s.created_at, s.expires_at,
    coalesce(u.role, t.role, s.role) AS role, coalesce(t.name, s.principal) AS name
  FROM sessions s
  LEFT JOIN users u ON s.kind = 'user' AND u.name = s.principal AND u.created_at <= s.created_at
  LEFT JOIN tokens t ON s.kind = 'token' AND t.id = s.principal
  WHERE s.hash = ${hash} AND (s.kind = 'owner' OR u.name IS NOT NULL OR t.id IS NOT NULL)`;
