// Whose streams are counted together. An account counts as one wherever it comes from, as it could come from any number of
// addresses; where nobody logs in, an address does.

import { ANYBODY } from '../auth/gate.ts';
import { networkOf } from '../auth/login-pace.ts';
import type { Principal } from '../role.ts';

export const streamAccount = ({ name }: Principal, peer: string): string =>
  name === ANYBODY.name ? `address ${networkOf(peer)}` : `account ${name}`;
