// Draws terminal scenes as an animated SVG: it types the commands, shows their output line by line, and repeats. If the
// browser reduces motion, everything is visible at once.

export interface Scene {
  readonly command: string;
  /** The output with its escape sequences. */
  readonly output: string;
}

interface Span {
  readonly text: string;
  readonly classes: string;
}

export const COLUMNS = 104;
const CHARACTER = 7.8;
const LINE = 19;
const MARGIN = 16;
const TYPE_SECONDS = 0.035;
const THINK_SECONDS = 0.6;
const READ_SECONDS = 1.6;
const REST_SECONDS = 5;

const COLOURS: Readonly<Record<number, string>> = {
  1: 'b',
  2: 'dim',
  31: 'red',
  32: 'green',
  33: 'yellow',
  34: 'blue',
  35: 'magenta',
  36: 'cyan',
  90: 'dim',
};

const STYLE = `
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d4d4d8;white-space:pre}
.b{font-weight:700}.dim{fill:#8b8b94}.red{fill:#f87171}.green{fill:#4ade80}.yellow{fill:#facc15}.blue{fill:#60a5fa}
.magenta{fill:#e879f9}.cyan{fill:#22d3ee}.prompt{fill:#4ade80}
.l,.cover{animation-duration:var(--t);animation-iteration-count:infinite;animation-timing-function:step-end}
.cover{fill:#18181b}
@media (prefers-reduced-motion:reduce){.l,.cover{animation:none}.cover{display:none}}`;

export function svgOf(scenes: readonly Scene[]): string {
  const parts: string[] = [];
  const frames: string[] = [];
  const timed: ((total: number) => void)[] = [];
  let [seconds, row] = [THINK_SECONDS, 0];
  for (const { command, output } of scenes) {
    const [typed, y] = [seconds, MARGIN + (row + 1) * LINE];
    const typing = command.length * TYPE_SECONDS;
    const name = `c${row}`;
    parts.push(lineOf(row, y, `<tspan class="prompt">$ </tspan>${escaped(command)}`));
    parts.push(
      `<rect class="cover" style="animation-name:${name};animation-timing-function:steps(${command.length})" ` +
        `x="${(MARGIN + 2 * CHARACTER).toFixed(1)}" y="${y - 14}" width="${Math.ceil(COLUMNS * CHARACTER)}" height="${LINE}"/>`,
    );
    const [shown, current] = [typed - THINK_SECONDS, row];
    timed.push((total) => {
      frames.push(appearing(current, shown, total));
      frames.push(uncovering(name, typed, typing, command.length, total));
    });
    seconds += typing + THINK_SECONDS / 2;
    row += 1;
    for (const line of output === '' ? [] : output.split('\n').map(lastVersion)) {
      parts.push(lineOf(row, MARGIN + (row + 1) * LINE, spansOf(line).map(spanText).join('')));
      const [at, number] = [seconds, row];
      timed.push((total) => frames.push(appearing(number, at, total)));
      seconds += 0.05;
      row += 1;
    }
    seconds += READ_SECONDS;
    row += 1;
  }
  const total = seconds + REST_SECONDS;
  for (const add of timed) add(total);
  const [width, height] = [Math.ceil(COLUMNS * CHARACTER + 2 * MARGIN), MARGIN * 2 + row * LINE];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 ${width} ${height}" width="${width}" role="img">`,
    '<title>queuectl quick start</title>',
    `<style>svg{--t:${total.toFixed(1)}s}${STYLE}\n${frames.join('\n')}</style>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#18181b"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}

const lineOf = (row: number, y: number, text: string): string =>
  `<text class="l" style="animation-name:l${row}" x="${MARGIN}" y="${y}">${text}</text>`;

const percent = (seconds: number, total: number): string => `${((100 * seconds) / total).toFixed(2)}%`;

const appearing = (row: number, at: number, total: number): string =>
  `@keyframes l${row}{0%{opacity:0}${percent(Math.max(at, 0.01), total)},100%{opacity:1}}`;

const uncovering = (name: string, from: number, seconds: number, count: number, total: number): string =>
  `@keyframes ${name}{0%,${percent(from, total)}{transform:none}` +
  `${percent(from + seconds, total)},100%{transform:translateX(${(count * CHARACTER).toFixed(0)}px)}}`;

const spanText = ({ text, classes }: Span): string =>
  classes === '' ? escaped(text) : `<tspan class="${classes}">${escaped(text)}</tspan>`;

/** Returns the final text of a line that the program overwrote, such as a progress line. */
const lastVersion = (line: string): string => line.slice(line.lastIndexOf('\r') + 1);

/** Splits a line into spans of the same style, without other escape sequences. */
function spansOf(line: string): Span[] {
  const spans: Span[] = [];
  let classes = new Set<string>();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are controlled by them
  for (const part of line.split(/(\u001b\[[\d;?]*[A-Za-z])/)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are controlled by them
    const [, codes] = /^\u001b\[([\d;]*)m$/.exec(part) ?? [];
    if (codes !== undefined) classes = styled(classes, codes);
    else if (!part.startsWith('\u001b') && part !== '') spans.push({ text: part, classes: [...classes].join(' ') });
  }
  return spans;
}

function styled(classes: ReadonlySet<string>, codes: string): Set<string> {
  let next = new Set(classes);
  for (const code of codes.split(';').map(Number)) {
    if (code === 0) next = new Set();
    else if (code === 22) for (const weight of ['b', 'dim']) next.delete(weight);
    else if (code === 39) next = new Set([...next].filter((name) => name === 'b'));
    else if (COLOURS[code]) next.add(COLOURS[code]);
  }
  return next;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
