// A way to a server that can be cut, or made to swallow whatever is sent on it.

import net from 'node:net';

interface Ending {
  after(work: () => void | Promise<void>): void;
}

export class Detour {
  /** The address that leads through here. */
  url = '';
  /** Called with what passes to the server; false keeps it from passing. */
  toServer: (data: Buffer) => boolean = () => true;
  private readonly mutes: (() => void)[] = [];
  private readonly sockets = new Set<net.Socket>();
  private readonly server = net.createServer((socket) => this.join(socket));
  private readonly target: URL;

  private constructor(url: string) {
    this.target = new URL(url);
  }

  static async open(t: Ending, url: string): Promise<Detour> {
    const proxy = new Detour(url);
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String((proxy.server.address() as net.AddressInfo).port);
    proxy.url = through.href;
    t.after(() => {
      proxy.cut();
      proxy.server.close();
    });
    return proxy;
  }

  /** Ends every connection there is; new ones are let through. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** The connections there are stay open, and nothing passes on them any more; new ones are let through. */
  swallow(): void {
    for (const mute of this.mutes) mute();
  }

  private join(socket: net.Socket): void {
    const server = net.connect(Number(this.target.port || 5432), this.target.hostname);
    let muted = false;
    this.mutes.push(() => {
      muted = true;
    });
    for (const [from, to] of [
      [socket, server],
      [server, socket],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (data: Buffer) => {
        if (muted || (from === socket && !this.toServer(data))) return;
        to.write(data);
      });
      from.on('error', () => {});
      from.on('close', () => to.destroy());
    }
  }
}
