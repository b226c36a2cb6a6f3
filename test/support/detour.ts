// A way to a server on which everything can happen that happens on a network. Each host of a test has one of its own.

import net from 'node:net';

interface Ending {
  after(work: () => void | Promise<void>): void;
}

/**
 * pass: as if it were not there. reject: nobody listens, and what was open is cut. drop: everything is swallowed, and
 * neither end learns of it. stall: everything is held back, and arrives when it passes again.
 */
type Manner = 'pass' | 'reject' | 'drop' | 'stall';

export class Detour {
  /** The address that leads through here. */
  url = '';
  /** Called with what passes to the server; false keeps it from passing. */
  toServer: (data: Buffer) => boolean = () => true;
  /** The same of what comes back from it. */
  toClient: (data: Buffer) => boolean = () => true;
  private manner: Manner = 'pass';
  private readonly pairs = new Set<Pair>();
  private readonly server = net.createServer((socket) => this.join(socket));
  private target: URL;
  private port = 0;
  private closed = false;

  private constructor(url: string) {
    this.target = new URL(url);
  }

  /** One that closes when the test ends. */
  static async open(t: Ending, url: string): Promise<Detour> {
    const detour = await Detour.to(url);
    t.after(() => detour.close());
    return detour;
  }

  static async to(url: string): Promise<Detour> {
    const detour = new Detour(url);
    await detour.listen();
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String(detour.port);
    detour.url = through.href;
    return detour;
  }

  async pass(): Promise<void> {
    await this.become('pass');
    for (const pair of this.pairs) pair.resume();
  }

  async reject(): Promise<void> {
    await this.become('reject');
    this.cut();
  }

  async drop(): Promise<void> {
    await this.become('drop');
    this.swallow();
  }

  async stall(): Promise<void> {
    await this.become('stall');
    for (const pair of this.pairs) pair.pause();
  }

  /** New connections go to another server; those there are stay where they are. */
  leadTo(url: string): void {
    this.target = new URL(url);
  }

  /** Ends every connection there is; new ones are met as before. */
  cut(): void {
    for (const pair of this.pairs) pair.destroy();
  }

  /** The connections there are stay open, and nothing passes on them any more; new ones are met as before. */
  swallow(): void {
    for (const pair of this.pairs) pair.mute();
  }

  /** For good: whatever it is told after this changes nothing. */
  async close(): Promise<void> {
    await this.reject();
    this.closed = true;
  }

  private async become(manner: Manner): Promise<void> {
    if (this.closed) return;
    this.manner = manner;
    if (manner === 'reject') this.server.close();
    else if (!this.server.listening) await this.listen();
  }

  private async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.port, '127.0.0.1', resolve);
    });
    this.port = (this.server.address() as net.AddressInfo).port;
  }

  private join(client: net.Socket): void {
    const server = net.connect(Number(this.target.port || 5432), this.target.hostname);
    const pair = new Pair(client, server, this);
    this.pairs.add(pair);
    pair.onGone = () => this.pairs.delete(pair);
    if (this.manner === 'drop') pair.mute();
    if (this.manner === 'stall') pair.pause();
  }
}

/** A connection to us and the one to the server that belongs to it. */
class Pair {
  onGone: () => void = () => {};
  private muted = false;
  private readonly sockets: readonly net.Socket[];

  constructor(client: net.Socket, server: net.Socket, way: Pick<Detour, 'toServer' | 'toClient'>) {
    this.sockets = [client, server];
    client.on('data', (data: Buffer) => {
      if (!this.muted && way.toServer(data)) server.write(data);
    });
    server.on('data', (data: Buffer) => {
      if (!this.muted && way.toClient(data)) client.write(data);
    });
    for (const socket of this.sockets) {
      socket.on('error', () => {});
      socket.on('close', () => this.lose());
    }
  }

  /** What is lost on the way is lost for good, so a connection does not come back from this. */
  mute(): void {
    this.muted = true;
    for (const socket of this.sockets) socket.resume();
  }

  pause(): void {
    for (const socket of this.sockets) socket.pause();
  }

  resume(): void {
    for (const socket of this.sockets) socket.resume();
  }

  destroy(): void {
    this.muted = false;
    for (const socket of this.sockets) socket.destroy();
    this.onGone();
  }

  /** An end has gone. Where nothing passes, the other one does not hear of that either. */
  private lose(): void {
    if (!this.muted || this.sockets.every(({ destroyed }) => destroyed)) this.destroy();
  }
}
