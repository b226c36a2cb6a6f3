// Passes secrets to a job in variables, or in files that are removed with the attempt. Never on the command line, which
// all users can read. The output mask receives them before the command starts.

import { closeSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SecretUse } from '../job/isolation/isolation.ts';
import { newOwnFile } from '../system/own-file.ts';
import type { Exit } from '../process/spawn/exit.ts';
import type { Step } from './isolate.ts';
import { Rejection } from './rejection.ts';

export const withSecrets: Step = async (start, { secrets = [] }, { vault }) => {
  if (secrets.length === 0) return { start };
  const values = new Map<string, Buffer>();
  for (const { name } of secrets) values.set(name, await vault.valueOf(name));
  vault.hide([...values.values()]);
  const { folder } = vault;
  const variables = secrets.map((use) => [use.variable, variableOf(use, values, folder)]);
  const files = secrets.filter(({ as }) => as === 'file');
  const needs = files.length > 0 ? [...start.needs, folder] : start.needs;
  const own = { ...start.own, ...Object.fromEntries(variables) };
  const remove = (): void => removeFiles(files, folder);
  try {
    writeFiles(files, values, folder);
  } catch (error) {
    remove();
    throw error;
  }
  const after = (exit: Exit): Exit => {
    remove();
    return exit;
  };
  return { start: { ...start, own, needs }, after };
};

function variableOf({ name, as }: SecretUse, values: ReadonlyMap<string, Buffer>, folder: string): string {
  if (as === 'file') return join(folder, name);
  const value = values.get(name) ?? Buffer.alloc(0);
  if (value.includes(0))
    throw new Rejection(`secret '${name}' contains a NUL byte and can only be passed as a file: ${name}:file`);
  return value.toString();
}

function writeFiles(files: readonly SecretUse[], values: ReadonlyMap<string, Buffer>, folder: string): void {
  if (files.length === 0) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const { name } of files) {
    const file = newOwnFile(join(folder, name));
    try {
      writeFileSync(file, values.get(name) ?? '', { flush: true });
    } finally {
      closeSync(file);
    }
  }
}

/** The directory may contain other files of the attempt, which are removed elsewhere. */
function removeFiles(files: readonly SecretUse[], folder: string): void {
  for (const { name } of files) rmSync(join(folder, name), { force: true });
  try {
    rmdirSync(folder);
  } catch {
    // The directory does not exist, or is not empty.
  }
}
