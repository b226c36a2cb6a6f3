// Signs a macOS program ad hoc, as its linkers do: Apple's processors run nothing unsigned, and injecting the program
// into Node has removed the signature of Node. The signature lists a digest of each page of the file.

import { createHash } from 'node:crypto';

const MAGIC_64 = 0xfeedfacf;
const SEGMENT = 0x19;
const CODE_SIGNATURE = 0x1d;
const HEADER_SIZE = 32;
const COMMAND_SIZE = 16;
const PAGE = 4096;
const DIGEST = 32;

/** Offsets in the header of the file, and in a command for a segment. */
const HEADER = { commands: 16, commandBytes: 20 } as const;
const SEGMENT_AT = { name: 8, memorySize: 32, fileOffset: 40, fileSize: 48 } as const;

export function signed(program: Buffer, identifier: string): Buffer {
  if (program.readUInt32LE(0) !== MAGIC_64) throw new Error('not a 64-bit Mach-O file');
  const commands = commandsOf(program);
  if (commands.some(({ kind }) => kind === CODE_SIGNATURE)) throw new Error('the Mach-O file is signed already');
  const textSize = fileSizeOf(segment(program, commands, '__TEXT'));
  const start = Math.ceil(program.length / 16) * 16;
  const pages = Math.ceil(start / PAGE);
  const size = SUPER_BLOB + CODE_DIRECTORY + identifier.length + 1 + pages * DIGEST;
  const made = Buffer.concat([program, Buffer.alloc(start + size - program.length)]);
  addCommand(made, commands, start, size);
  growLastSegment(made, commands, start + size);
  writeSignature(made, { start, size, pages, identifier, textSize });
  return made;
}

interface LoadCommand {
  readonly kind: number;
  readonly offset: number;
  readonly size: number;
}

function commandsOf(program: Buffer): LoadCommand[] {
  const commands: LoadCommand[] = [];
  let offset = HEADER_SIZE;
  for (let i = 0; i < program.readUInt32LE(HEADER.commands); i++) {
    const command = { kind: program.readUInt32LE(offset), offset, size: program.readUInt32LE(offset + 4) };
    commands.push(command);
    offset += command.size;
  }
  return commands;
}

function segment(program: Buffer, commands: readonly LoadCommand[], name: string): Buffer {
  const found = commands
    .filter(({ kind }) => kind === SEGMENT)
    .map(({ offset, size }) => program.subarray(offset, offset + size))
    .find((one) => one.toString('latin1', SEGMENT_AT.name, SEGMENT_AT.name + 16).split('\0')[0] === name);
  if (!found) throw new Error(`the Mach-O file has no segment ${name}`);
  return found;
}

const fileSizeOf = (one: Buffer): number => Number(one.readBigUInt64LE(SEGMENT_AT.fileSize));

/** The linker leaves space between the commands and the code. */
function addCommand(made: Buffer, commands: readonly LoadCommand[], start: number, size: number): void {
  const last = commands.at(-1);
  const at = last ? last.offset + last.size : HEADER_SIZE;
  if (made.subarray(at, at + COMMAND_SIZE).some((byte) => byte !== 0))
    throw new Error('the Mach-O file has no space for the command that names its signature');
  [CODE_SIGNATURE, COMMAND_SIZE, start, size].forEach((word, i) => void made.writeUInt32LE(word, at + i * 4));
  made.writeUInt32LE(commands.length + 1, HEADER.commands);
  made.writeUInt32LE(made.readUInt32LE(HEADER.commandBytes) + COMMAND_SIZE, HEADER.commandBytes);
}

function growLastSegment(made: Buffer, commands: readonly LoadCommand[], end: number): void {
  const last = segment(made, commands, '__LINKEDIT');
  const fileSize = BigInt(end) - last.readBigUInt64LE(SEGMENT_AT.fileOffset);
  const [page, memorySize] = [0x4000n, last.readBigUInt64LE(SEGMENT_AT.memorySize)];
  const needed = ((fileSize + page - 1n) / page) * page;
  last.writeBigUInt64LE(fileSize, SEGMENT_AT.fileSize);
  last.writeBigUInt64LE(needed > memorySize ? needed : memorySize, SEGMENT_AT.memorySize);
}

const SUPER_BLOB = 20;
const CODE_DIRECTORY = 88;
const AD_HOC_BY_LINKER = 0x20002;
const SHA256 = 2;
const PAGE_EXPONENT = 12;
const MAIN_PROGRAM = 1n;

interface Signature {
  readonly start: number;
  readonly size: number;
  readonly pages: number;
  readonly identifier: string;
  readonly textSize: number;
}

/** In big-endian order: a list with one entry, the code directory, whose digests cover everything before it. */
function writeSignature(made: Buffer, { start, size, pages, identifier, textSize }: Signature): void {
  const blob = made.subarray(start, start + size);
  [0xfade0cc0, size, 1, 0, SUPER_BLOB].forEach((word, i) => void blob.writeUInt32BE(word, i * 4));
  const directory = blob.subarray(SUPER_BLOB);
  const digestsAt = CODE_DIRECTORY + identifier.length + 1;
  const words = [0xfade0c02, directory.length, 0x20400, AD_HOC_BY_LINKER, digestsAt, CODE_DIRECTORY, 0, pages, start];
  words.forEach((word, i) => void directory.writeUInt32BE(word, i * 4));
  [DIGEST, SHA256, 0, PAGE_EXPONENT].forEach((byte, i) => void directory.writeUInt8(byte, 36 + i));
  directory.writeBigUInt64BE(BigInt(textSize), 72);
  directory.writeBigUInt64BE(MAIN_PROGRAM, 80);
  directory.write(identifier, CODE_DIRECTORY, 'latin1');
  for (let page = 0; page < pages; page++) {
    const content = made.subarray(page * PAGE, Math.min((page + 1) * PAGE, start));
    createHash('sha256')
      .update(content)
      .digest()
      .copy(directory, digestsAt + page * DIGEST);
  }
}
