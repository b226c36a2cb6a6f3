// How a worker that is well says that it waits for better times, and how that is told from trouble.

const BEGINNING = 'starts nothing new: ';

export const holdingBack = (reason: string): string => `${BEGINNING}${reason}`;

/** Of a notice. */
export const holdsBack = (notice: string): boolean => notice.startsWith(BEGINNING);
