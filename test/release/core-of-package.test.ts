// The core of the tests again, for the npm package.

import { newFolder, removeFolder } from '../support/folder.ts';
import { PROGRAMS, useProgram } from '../support/program.ts';

const folder = newFolder('queuectl package ');
process.on('exit', () => removeFolder(folder));
const program = (await PROGRAMS.package?.(folder)) ?? '';
useProgram(program);
await import('./core.test.ts');
