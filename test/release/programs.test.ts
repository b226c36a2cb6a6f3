// What happens to Node before and after the program is injected: stripping for Linux, signing for macOS.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { stripped } from '../../scripts/release/elf.ts';
import { signed } from '../../scripts/release/macho.ts';
import { temporaryFolder } from '../support/folder.ts';

const isElf = (file: string): boolean => fs.readFileSync(file).subarray(1, 4).toString() === 'ELF';

test('a stripped Node is smaller by a fifth and still runs', {
  skip: !isElf(process.execPath) && 'needs an ELF program',
}, (t) => {
  const original = fs.readFileSync(process.execPath);
  const made = stripped(original);
  assert.ok(made.length < original.length * 0.85, `${made.length} of ${original.length} bytes`);
  const file = path.join(temporaryFolder(t), 'node');
  fs.writeFileSync(file, made, { mode: 0o755 });
  assert.equal(execFileSync(file, ['-p', '6 * 7'], { encoding: 'utf8' }), '42\n');
});

test('stripping rejects a file that is not ELF', () => {
  assert.throws(() => stripped(Buffer.from('#!/bin/sh\n')), /not a 64-bit little-endian ELF file/);
});

test('a signature covers every page of the program', () => {
  const made = signed(unsignedProgram(), 'queuectl');
  const { start, size } = signatureCommand(made);
  assert.equal(start + size, made.length);
  const directory = made.subarray(start + 20);
  assert.equal(directory.readUInt32BE(0), 0xfade0c02);
  assert.equal(directory.readUInt32BE(32), start, 'the digests cover everything before the signature');
  const [digestsAt, pages] = [directory.readUInt32BE(16), directory.readUInt32BE(28)];
  assert.equal(pages, Math.ceil(start / 4096));
  for (let page = 0; page < pages; page++) {
    const content = made.subarray(page * 4096, Math.min((page + 1) * 4096, start));
    const digest = directory.subarray(digestsAt + page * 32, digestsAt + (page + 1) * 32);
    assert.deepEqual(digest, createHash('sha256').update(content).digest(), `page ${page}`);
  }
  assert.equal(directory.toString('latin1', directory.readUInt32BE(20), directory.readUInt32BE(20) + 9), 'queuectl\0');
});

test('the last segment of a signed program ends with the signature', () => {
  const made = signed(unsignedProgram(), 'queuectl');
  const last = 32 + 72;
  assert.equal(Number(made.readBigUInt64LE(last + 40)) + Number(made.readBigUInt64LE(last + 48)), made.length);
});

test('a program is not signed twice', () => {
  assert.throws(() => signed(signed(unsignedProgram(), 'a'), 'b'), /signed already/);
});

test('a program without space for another command is rejected', () => {
  const full = unsignedProgram();
  full.fill(1, 32 + 2 * 72, 32 + 2 * 72 + 16);
  assert.throws(() => signed(full, 'a'), /no space/);
});

/** A Mach-O file with the segments __TEXT, of three pages, and __LINKEDIT, of 100 bytes. */
function unsignedProgram(): Buffer {
  const text = 3 * 4096;
  const program = Buffer.alloc(text + 100, 7);
  program.fill(0, 0, 512);
  [0xfeedfacf, 0x0100000c, 0, 2, 2, 2 * 72, 0, 0].forEach((word, i) => void program.writeUInt32LE(word, i * 4));
  writeSegment(program.subarray(32, 104), '__TEXT', 0, text);
  writeSegment(program.subarray(104, 176), '__LINKEDIT', text, 100);
  return program;
}

function writeSegment(command: Buffer, name: string, offset: number, size: number): void {
  command.writeUInt32LE(0x19, 0);
  command.writeUInt32LE(72, 4);
  command.write(name, 8, 'latin1');
  command.writeBigUInt64LE(BigInt(offset), 40);
  command.writeBigUInt64LE(BigInt(size), 48);
}

function signatureCommand(program: Buffer): { start: number; size: number } {
  const count = program.readUInt32LE(16);
  let offset = 32;
  for (let i = 0; i < count; i++) {
    if (program.readUInt32LE(offset) === 0x1d)
      return { start: program.readUInt32LE(offset + 8), size: program.readUInt32LE(offset + 12) };
    offset += program.readUInt32LE(offset + 4);
  }
  throw new Error('no signature');
}
