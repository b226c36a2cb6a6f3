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

/** The style sheet has one shade of each colour, except for black. */
function classOf({ fg, bg, decorations }: Entry): string {
  const named = [
    fg && !fg.includes('truecolor') ? fg.replace(/bright-(?!black)/, '') : '',
    bg && !bg.includes('truecolor') ? `${bg.replace('bright-', '')}-bg` : '',
  ];
  return [...named, ...decorations.map((name) => `ansi-${name}`)].filter(Boolean).join(' ');
}

/** Colours other than the sixteen named ones. */
function coloursOf({ fg_truecolor, bg_truecolor, fg, bg }: Entry) {
  const colour = fg_truecolor ? `rgb(${fg_truecolor})` : paletteColour(fg);
  const background = bg_truecolor ? `rgb(${bg_truecolor})` : paletteColour(bg);
  return { ...(colour && { color: colour }), ...(background && { backgroundColor: background }) };
}

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
