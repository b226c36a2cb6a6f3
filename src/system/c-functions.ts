// Functions of the C library, through node:ffi.

import type { FunctionDefinitions } from 'node:ffi';

/** Returns null except on 64-bit Linux, without node:ffi, or if the C library lacks one of the functions. */
export function cFunctions<const T extends FunctionDefinitions>(definitions: T) {
  if (process.platform !== 'linux' || (process.arch !== 'x64' && process.arch !== 'arm64')) return null;
  try {
    return process.getBuiltinModule('node:ffi').dlopen(null, definitions).functions;
  } catch {
    return null;
  }
}
