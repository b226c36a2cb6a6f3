// One random step, taken by the store and by the model: after each, nothing tells the two apart.

import fc from 'fast-check';
import type { Staging, Store } from '../../src/store/store.ts';
import { compare } from './compare.ts';
import type { Model } from './model.ts';

/** One of several connections to the same queue. */
export interface Connection {
  readonly store: Store;
  staging: { staging: Staging; jobs: Parameters<Staging['add']>[0][number][] } | null;
}

export interface Real {
  readonly connections: readonly Connection[];
}

export type Command = fc.AsyncCommand<Model, Real>;
type Run<A> = (model: Model, connection: Connection, args: A) => void | Promise<void>;

const CONNECTIONS = 3;

/** `when` keeps out what the port rules out: a step that is not allowed is left out. */
export function command<A>(
  name: string,
  args: fc.Arbitrary<A>,
  run: Run<A>,
  when: (model: Readonly<Model>, args: A) => boolean = () => true,
): fc.Arbitrary<Command> {
  return fc.tuple(args, fc.nat(CONNECTIONS - 1), fc.nat(CONNECTIONS - 1)).map(([given, by, seenBy]) => ({
    check: (model) => when(model, given),
    run: async (model, { connections }) => {
      await run(model, at(connections, by), given);
      await compare(model, at(connections, seenBy).store);
    },
    toString: () => `${name}(${fc.stringify(given)}) by connection ${by}, seen by ${seenBy}`,
  }));
}

export const openAll = async (open: () => Promise<Store>): Promise<Connection[]> =>
  Promise.all(Array.from({ length: CONNECTIONS }, async () => ({ store: await open(), staging: null })));

function at(connections: readonly Connection[], index: number): Connection {
  const connection = connections[index];
  if (!connection) throw new Error(`there is no connection ${index}`);
  return connection;
}

/** Which of several: the same number may mean another one once there are more. */
export const aPick = fc.nat(50);
export const pickOf = <T>(items: readonly T[], pick: number): T | undefined => items[pick % items.length];
