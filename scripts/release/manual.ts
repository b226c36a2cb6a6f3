// The manual pages as files for `man`.

import { allPages } from '../../src/cli/manual/help.ts';
import { mdoc } from '../../src/cli/manual/mdoc.ts';

export interface ManualFile {
  /** Such as man1/queuectl-enqueue.1. */
  readonly path: string;
  readonly text: string;
}

export async function manualFiles(date: Date): Promise<ManualFile[]> {
  const pages = await allPages();
  return pages.map((page) => ({
    path: `man${page.section}/${page.name}.${page.section}`,
    text: mdoc(page, date),
  }));
}
