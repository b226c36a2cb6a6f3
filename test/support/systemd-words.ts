// Reads lines of a unit as systemd does (systemd.syntax, "Quoting"): words, quotes, C escapes, %% and, in commands, $$.

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ a: '\u0007', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
  ...{ '\\': '\\', '"': '"', "'": "'", s: ' ' },
};

/** The words of a line, without specifiers: any % but a doubled one is an error. */
export function systemdWords(line: string): string[] {
  const words: string[] = [];
  let [word, quote, isInside] = ['', '', false];
  for (let i = 0; i < line.length; i++) {
    const sign = line[i] ?? '';
    if (sign === '\\') {
      const [text, used] = escapeAt(line, i + 1);
      [word, isInside] = [word + text, true];
      i += used;
    } else if (quote !== '' && sign === quote) quote = '';
    else if (quote === '' && (sign === '"' || sign === "'") && !isInside) [quote, isInside] = [sign, true];
    else if (quote === '' && /\s/.test(sign)) {
      if (isInside) words.push(word);
      [word, isInside] = ['', false];
    } else [word, isInside] = [word + sign, true];
  }
  if (quote !== '') throw new Error(`a quote is not closed: ${line}`);
  return (isInside ? [...words, word] : words).map(withoutSpecifiers);
}

function escapeAt(line: string, at: number): [text: string, used: number] {
  const letter = line[at] ?? '';
  if (letter === 'x') return [String.fromCharCode(Number.parseInt(line.slice(at + 1, at + 3), 16)), 3];
  const text = ESCAPES[letter];
  if (text === undefined) throw new Error(`systemd knows no \\${letter}: ${line}`);
  return [text, 1];
}

export function withoutSpecifiers(word: string): string {
  if (/%/.test(word.replaceAll('%%', ''))) throw new Error(`systemd would fill something in: ${word}`);
  return word.replaceAll('%%', '%');
}

/** A command as systemd would start it: its path is taken as it is, in its arguments $$ is one $. */
export function systemdCommand(line: string): string[] {
  const [program = '', ...args] = systemdWords(line);
  for (const arg of args)
    if (/\$/.test(arg.replaceAll('$$', ''))) throw new Error(`systemd would fill in a variable: ${arg}`);
  return [program, ...args.map((arg) => arg.replaceAll('$$', '$'))];
}

/** The values of a key in a unit, in their order. */
export const valuesOf = (unit: string, key: string): string[] =>
  unit.split('\n').flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []));
