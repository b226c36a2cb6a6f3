// Identifies the client that a stream counts against: the account, from whatever address, because one account may use
// any number of addresses. Without authentication, it is the address.

import { ANYBODY } from '../auth/gate.ts';
import { networkOf } from '../auth/login-pace.ts';
import type { Principal } from '../role.ts';

export const streamAccount = ({ name }: Principal, peer: string): string =>
  name === ANYBODY.name ? `address ${networkOf(peer)}` : `account ${name}`;
