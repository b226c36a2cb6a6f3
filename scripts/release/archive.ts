// Archives with the same bytes for the same content: sorted, with one date, owned by root. System tools would add names,
// dates and an order of their own.

export interface Entry {
  /** Without a leading slash. */
  readonly path: string;
  readonly mode: number;
  readonly content: Buffer;
}

const BLOCK = 512;

/** A tar archive in the ustar format, with the directories that the entries need. */
export function tar(entries: readonly Entry[], date: Date): Buffer {
  const files = entries.map((entry) => ({ ...entry, isDirectory: false }));
  const directories = directoriesOf(entries).map((path) => ({
    path: `${path}/`,
    mode: 0o755,
    content: Buffer.alloc(0),
    isDirectory: true,
  }));
  const sorted = [...directories, ...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  return Buffer.concat([...sorted.flatMap((member) => tarMember(member, date)), Buffer.alloc(2 * BLOCK)]);
}

function directoriesOf(entries: readonly Entry[]): string[] {
  const found = new Set<string>();
  for (const { path } of entries) {
    const names = path.split('/').slice(0, -1);
    for (let depth = 1; depth <= names.length; depth++) found.add(names.slice(0, depth).join('/'));
  }
  return [...found].filter((path) => path !== '.');
}

function tarMember({ path, mode, content, isDirectory }: Entry & { isDirectory: boolean }, date: Date): Buffer[] {
  if (path.length > 100) throw new Error(`the path is too long for the archive: ${path}`);
  const header = Buffer.alloc(BLOCK);
  header.write(path, 0);
  header.write(octal(mode, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(content.length, 11), 124);
  header.write(octal(date.getTime() / 1000, 11), 136);
  header.write(' '.repeat(8), 148);
  header.write(isDirectory ? '5' : '0', 156);
  header.write('ustar\u000000', 257);
  header.write('root', 265);
  header.write('root', 297);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  return [header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
}

const octal = (value: number, digits: number): string => Math.floor(value).toString(8).padStart(digits, '0');

/** An ar archive, the outer file of a Debian package. */
export function ar(members: readonly Omit<Entry, 'mode'>[], date: Date): Buffer {
  const parts = members.flatMap(({ path, content }) => {
    const fields: [string, number][] = [
      [path, 16],
      [String(date.getTime() / 1000), 12],
      ['0', 6],
      ['0', 6],
      ['100644', 8],
      [String(content.length), 10],
    ];
    const header = fields.map(([value, width]) => value.padEnd(width)).join('');
    return [Buffer.from(`${header}\`\n`), content, Buffer.from(content.length % 2 === 1 ? '\n' : '')];
  });
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}
