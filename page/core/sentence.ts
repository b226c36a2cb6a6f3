// Texts of the server as sentences of the page. Pure.

/** The command line begins its sentences small; on a page they begin large. A command or a name stays what it is. */
export const sentence = (text: string): string =>
  isCommand(text) || isName(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);

/** A hint may be the very command that helps. */
export const isCommand = (text: string): boolean => text.startsWith('queuectl ');

/** It begins with what no word looks like: success_codes, job-12, mail:eu. */
const isName = (text: string): boolean => /^[^\s,]*?([_\d/=]|[.:]\w)/.test(text);
