// A connection pooler as PgBouncer is one in transaction mode: each transaction goes to any session that is free, and
// sessions outlive whoever started them. It rejects or leaves out `options` at the start, as PgBouncer is set to.

import net from 'node:net';

interface Ending {
  after(work: () => void | Promise<void>): void;
}

export type OptionsAre = 'rejected' | 'left out';

const SSL_REQUEST = 80_877_103;
const READY = 0x5a; // Z
const BACKEND_KEY = 0x4b; // K
const SYNC = 0x53; // S
const QUERY = 0x51; // Q
const TERMINATE = 0x58; // X

/** The address of a pooler in front of the server; it ends with the test. */
export async function startPooler(t: Ending, url: string, optionsAre: OptionsAre): Promise<string> {
  const target = new URL(url);
  const pool = new Pool(Number(target.port || 5432), target.hostname);
  const clients = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    clients.add(socket.on('close', () => clients.delete(socket)).on('error', () => {}));
    serve(socket, pool, optionsAre);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    for (const socket of clients) socket.destroy();
    pool.end();
  });
  target.port = String((server.address() as net.AddressInfo).port);
  target.hostname = '127.0.0.1';
  return target.href;
}

/** Sessions of the server that nobody uses at the moment. */
class Pool {
  private readonly port: number;
  private readonly host: string;
  private readonly free: net.Socket[] = [];
  private readonly all: net.Socket[] = [];
  private readonly waiting: ((session: net.Socket) => void)[] = [];

  constructor(port: number, host: string) {
    this.port = port;
    this.host = host;
  }

  connect(): net.Socket {
    const session = net.connect(this.port, this.host).on('error', () => {});
    this.all.push(session);
    return session;
  }

  /** The one that has been free for longest. */
  take(use: (session: net.Socket) => void): void {
    const session = this.free.shift();
    if (session) use(session);
    else this.waiting.push(use);
  }

  release(session: net.Socket): void {
    session.removeAllListeners('data');
    const next = this.waiting.shift();
    if (next) next(session);
    else this.free.push(session);
  }

  end(): void {
    for (const session of this.all) session.destroy();
  }
}

/** What comes in, cut into whole messages; `headerBytes` come before the length. */
class Messages {
  headerBytes = 1;
  private rest = Buffer.alloc(0);

  take(data: Buffer): Buffer[] {
    this.rest = Buffer.concat([this.rest, data]);
    const whole: Buffer[] = [];
    for (;;) {
      if (this.rest.length < this.headerBytes + 4) return whole;
      const length = this.headerBytes + this.rest.readInt32BE(this.headerBytes);
      if (this.rest.length < length) return whole;
      whole.push(this.rest.subarray(0, length));
      this.rest = this.rest.subarray(length);
    }
  }
}

function serve(client: net.Socket, pool: Pool, optionsAre: OptionsAre): void {
  const messages = new Messages();
  messages.headerBytes = 0;
  let onMessage = start;
  client.on('data', (data: Buffer) => {
    for (const message of messages.take(data)) onMessage(message);
  });

  function start(message: Buffer): void {
    if (message.readInt32BE(4) === SSL_REQUEST) return void client.write('N');
    messages.headerBytes = 1;
    const parameters = parametersOf(message);
    if (parameters.has('options') && optionsAre === 'rejected') {
      client.end(rejection('unsupported startup parameter: options'));
      return;
    }
    parameters.delete('options');
    logIn(parameters);
  }

  /** The first session is started in the client's name; from then on it is anybody's. */
  function logIn(parameters: Map<string, string>): void {
    const session = pool.connect();
    session.write(startupOf(parameters));
    onMessage = (message) => session.write(message);
    const answers = new Messages();
    session.on('data', (data: Buffer) => {
      for (const answer of answers.take(data)) {
        client.write(answer[0] === BACKEND_KEY ? ownKey() : answer);
        if (answer[0] !== READY) continue;
        pool.release(session);
        onMessage = work(client, pool);
      }
    });
  }
}

/** Messages go to one session until its transaction is over. */
function work(client: net.Socket, pool: Pool): (message: Buffer) => void {
  let session: net.Socket | null = null;
  let held: Buffer[] = [];
  let unanswered = 0;
  const use = (taken: net.Socket): void => {
    session = taken;
    const answers = new Messages();
    taken.on('data', (data: Buffer) => {
      for (const answer of answers.take(data)) {
        client.write(answer);
        if (answer[0] === READY && --unanswered === 0 && answer[5] === 'I'.charCodeAt(0)) {
          session = null;
          pool.release(taken);
        }
      }
    });
    for (const message of held) taken.write(message);
    held = [];
  };
  return (message) => {
    if (message[0] === TERMINATE) return void client.end();
    if (message[0] === SYNC || message[0] === QUERY) unanswered++;
    if (session) return void session.write(message);
    held.push(message);
    if (held.length === 1) pool.take(use);
  };
}

function parametersOf(startup: Buffer): Map<string, string> {
  const words = startup.subarray(8, -2).toString().split('\0');
  const pairs = new Map<string, string>();
  for (let i = 0; i + 1 < words.length; i += 2) pairs.set(words[i] ?? '', words[i + 1] ?? '');
  return pairs;
}

function startupOf(parameters: Map<string, string>): Buffer {
  const text = Buffer.from(`${[...parameters].flat().join('\0')}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(text.length + 8, 0);
  head.writeInt32BE(196_608, 4);
  return Buffer.concat([head, text]);
}

/** To cancel by: a process id and a secret that mean something to the pooler alone. */
function ownKey(): Buffer {
  const message = Buffer.alloc(13);
  message[0] = BACKEND_KEY;
  message.writeInt32BE(12, 1);
  message.writeInt32BE(2_000_000_000 + Math.floor(Math.random() * 1000), 5);
  return message;
}

function rejection(text: string): Buffer {
  const body = Buffer.from(`SFATAL\0C08P01\0M${text}\0\0`);
  const head = Buffer.alloc(5);
  head[0] = 0x45; // E
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
