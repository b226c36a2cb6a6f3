// The notice of a healthy worker that starts nothing for now, and how to distinguish it from a problem.

const BEGINNING = 'not starting jobs: ';

export const holdingBack = (reason: string): string => `${BEGINNING}${reason}`;

export const holdsBack = (notice: string): boolean => notice.startsWith(BEGINNING);
