// Turns server messages into sentences. Pure.

/** Capitalises a message, which starts in lower case for the command line. A command or a name stays unchanged. */
export const sentence = (text: string): string =>
  isCommand(text) || isName(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);

/** Whether a hint is a command. */
export const isCommand = (text: string): boolean => text.startsWith('queuectl ');

/** Matches names such as success_codes, job-12 and mail:eu. */
const isName = (text: string): boolean => /^[^\s,]*?([_\d/=]|[.:]\w)/.test(text);
