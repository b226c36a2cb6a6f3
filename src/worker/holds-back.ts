// The notice of a worker that starts nothing for now but is well, and how it is told from trouble.

const BEGINNING = 'not starting jobs: ';

export const holdingBack = (reason: string): string => `${BEGINNING}${reason}`;

/** Of a notice. */
export const holdsBack = (notice: string): boolean => notice.startsWith(BEGINNING);
