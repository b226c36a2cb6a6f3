// A line of output with its colours, as elements: output is never parsed as HTML.

import Anser from 'anser';
import type { ComponentChildren } from 'preact';
import type { Line } from './lines.ts';

type Entry = ReturnType<typeof Anser.ansiToJson>[number];

/** Longer lines would block the browser; the download contains them in full. */
const MOST = 5000;

export function Coloured({ line, wanted }: { line: Line; wanted: string }) {
  const text = line.text.length > MOST ? `${line.text.slice(0, MOST)}…` : line.text;
  const hasColours = text.includes('\u001b') || line.colours !== '';
  if (!hasColours) return <>{marked(text, wanted)}</>;
  const entries = Anser.ansiToJson(line.colours + text, {
    json: true,
    use_classes: true,
    remove_empty: true,
  });
  return (
    <>
      {entries.map((entry, i) => (
        <span key={i} class={classOf(entry)} style={coloursOf(entry)}>
          {marked(entry.content, wanted)}
        </span>
      ))}
    </>
  );
}

const classOf = ({ decorations }: Entry): string => decorations.map((name) => `ansi-${name}`).join(' ');

/** Text on a named background has a fixed colour, because not every pair is readable. */
function coloursOf({ fg_truecolor, bg_truecolor, fg, bg }: Entry) {
  const ink = bg && isNamed(bg) && (/yellow|white/.test(bg) ? 'var(--mark-ink)' : 'white');
  const color = rgbOf(fg_truecolor, fg) || ink || (fg && isNamed(fg) && `var(--${shadeOf(fg)})`);
  const backgroundColor = rgbOf(bg_truecolor, bg) || (bg && isNamed(bg) && `var(--${shadeOf(bg)}-bg)`);
  return { ...(color && { color }), ...(backgroundColor && { backgroundColor }) };
}

const isNamed = (name: string): boolean => !/truecolor|palette/.test(name);

/** Bright colours look like the others, except for grey. */
const shadeOf = (name: string): string => name.replace(/bright-(?!black)/, '');

const rgbOf = (truecolor: string | null, name: string | null): string | null =>
  truecolor ? `rgb(${truecolor})` : paletteColour(name);

/** The 256-colour palette: a 6×6×6 cube and greys. */
function paletteColour(name: string | null): string | null {
  const index = Number(/^ansi-palette-(\d+)$/.exec(name ?? '')?.[1] ?? -1);
  if (index < 16) return null;
  if (index > 231)
    return `rgb(${Array(3)
      .fill(8 + (index - 232) * 10)
      .join()})`;
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  const cube = index - 16;
  return `rgb(${level(Math.floor(cube / 36))},${level(Math.floor(cube / 6) % 6)},${level(cube % 6)})`;
}

function marked(text: string, wanted: string): ComponentChildren {
  if (wanted === '') return text;
  const parts: ComponentChildren[] = [];
  const [lower, key] = [text.toLowerCase(), wanted.toLowerCase()];
  let from = 0;
  for (let at = lower.indexOf(key); at >= 0; at = lower.indexOf(key, from)) {
    parts.push(text.slice(from, at), <mark>{text.slice(at, at + key.length)}</mark>);
    from = at + key.length;
  }
  return [...parts, text.slice(from)];
}
