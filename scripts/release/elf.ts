// Strips an ELF program, as strip(1) does: debug information and symbols are a fifth of Node. It must happen before the
// program is injected, and works for every processor, which the strip of this machine does not.

const SECTION_ENTRY = 64;
const ALLOCATED = 0x2;
const OCCUPIES_NO_FILE = 8;

/** Offsets in the header of a 64-bit ELF file. */
const HEADER = { sections: 0x28, sectionCount: 0x3c, namesIndex: 0x3e } as const;
/** Offsets in the entry of a section. */
const ENTRY = { type: 4, flags: 8, offset: 24, size: 32 } as const;

/** Keeps what the system loads, in its place, and the names of those sections. */
export function stripped(elf: Buffer): Buffer {
  if (elf.toString('latin1', 0, 6) !== '\u007fELF\u0002\u0001') throw new Error('not a 64-bit little-endian ELF file');
  const sections = sectionsOf(elf);
  const names = sections[elf.readUInt16LE(HEADER.namesIndex)];
  if (!names) throw new Error('the ELF file has no section names');
  const kept = sections.filter((section, i) => i === 0 || section.isLoaded);
  // Sections refer to each other by number, so those kept must come first.
  if (kept.some((section, i) => section !== sections[i]))
    throw new Error('unexpected order of sections in the ELF file');
  const end = Math.max(...kept.map(({ fileEnd }) => fileEnd));
  return assembled(elf, end, kept, names);
}

interface Section {
  readonly entry: Buffer;
  readonly isLoaded: boolean;
  readonly fileEnd: number;
}

function sectionsOf(elf: Buffer): Section[] {
  const start = Number(elf.readBigUInt64LE(HEADER.sections));
  return Array.from({ length: elf.readUInt16LE(HEADER.sectionCount) }, (_, i) => {
    const entry = elf.subarray(start + i * SECTION_ENTRY, start + (i + 1) * SECTION_ENTRY);
    const size = entry.readUInt32LE(ENTRY.type) === OCCUPIES_NO_FILE ? 0 : Number(entry.readBigUInt64LE(ENTRY.size));
    return {
      entry,
      isLoaded: (Number(entry.readBigUInt64LE(ENTRY.flags)) & ALLOCATED) !== 0,
      fileEnd: Number(entry.readBigUInt64LE(ENTRY.offset)) + size,
    };
  });
}

/** The loaded bytes, then the names, then the table of sections. */
function assembled(elf: Buffer, end: number, kept: readonly Section[], names: Section): Buffer {
  const nameSize = Number(names.entry.readBigUInt64LE(ENTRY.size));
  const namesAt = aligned(end);
  const tableAt = aligned(namesAt + nameSize);
  const made = Buffer.alloc(tableAt + (kept.length + 1) * SECTION_ENTRY);
  elf.copy(made, 0, 0, end);
  elf.copy(made, namesAt, names.fileEnd - nameSize, names.fileEnd);
  const namesEntry = Buffer.from(names.entry);
  namesEntry.writeBigUInt64LE(BigInt(namesAt), ENTRY.offset);
  [...kept.map(({ entry }) => entry), namesEntry].forEach(
    (entry, i) => void entry.copy(made, tableAt + i * SECTION_ENTRY),
  );
  made.writeBigUInt64LE(BigInt(tableAt), HEADER.sections);
  made.writeUInt16LE(kept.length + 1, HEADER.sectionCount);
  made.writeUInt16LE(kept.length, HEADER.namesIndex);
  return made;
}

const aligned = (offset: number): number => Math.ceil(offset / 16) * 16;
