// systemd or launchd as far as the tests need them: small programs that remember what they were told (test/fixtures).

import fs from 'node:fs';
import path from 'node:path';
import type { TestQueue } from '../cli/support.ts';
import { fixture } from './fleet.ts';

/** What launchctl's world has besides it; no systemctl. */
const BESIDE_LAUNCHD = ['ps', 'tail', 'sh', 'id'];

export class StandIn {
  readonly queue: TestQueue;
  /** For every command on this machine. */
  readonly env: NodeJS.ProcessEnv;
  private readonly folder: string;

  constructor(queue: TestQueue, kind: 'systemd' | 'launchd') {
    this.queue = queue;
    this.folder = path.join(queue.folder, 'stand in');
    fs.mkdirSync(this.folder);
    const home = path.join(queue.folder, 'home of me');
    const others = kind === 'systemd' ? (process.env.PATH ?? '') : this.toolsBeside();
    this.env = {
      STAND_IN: this.folder,
      HOME: home,
      XDG_CONFIG_HOME: path.join(home, 'my config'),
      PATH: `${fixture(kind)}:${others}`,
    };
  }

  get config(): string {
    return this.env.XDG_CONFIG_HOME ?? '';
  }

  /** A command that must succeed; what it prints. */
  async text(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.queue.run(args, { env: this.env });
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  async json<T>(...args: string[]): Promise<T> {
    return JSON.parse(await this.text(...args, '--json')) as T;
  }

  rejected(code: number, ...args: string[]): Promise<string> {
    return this.queue.rejected(code, args, { env: this.env });
  }

  /** What the system was told since the last time, without what only looks. */
  calls(): string[] {
    const file = path.join(this.folder, 'calls');
    const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
    fs.rmSync(file, { force: true });
    return lines.filter((line) => !/ show | print /.test(line));
  }

  /** Something that is so from now on: 'offline', 'linger'. */
  mark(name: string): void {
    fs.writeFileSync(path.join(this.folder, name), '');
  }

  private toolsBeside(): string {
    const tools = path.join(this.folder, 'tools');
    fs.mkdirSync(tools);
    for (const tool of BESIDE_LAUNCHD) {
      const found = ['/usr/bin', '/bin'].map((bin) => path.join(bin, tool)).find((file) => fs.existsSync(file));
      if (found) fs.symlinkSync(found, path.join(tools, tool));
    }
    return tools;
  }
}
