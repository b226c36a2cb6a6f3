// A real store that does some things otherwise: one that does not answer, or to which something happens in between.

import type { Store } from '../../src/store/store.ts';

export const storeWith = (store: Store, methods: Partial<Store>): Store =>
  Object.create(store, Object.getOwnPropertyDescriptors(methods)) as Store;
