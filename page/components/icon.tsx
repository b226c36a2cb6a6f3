// Icons on a grid of 16 in the colour of the text. An icon without text next to it needs a label.

const PATHS = {
  overview: 'M2.5 9.5h3v4h-3zM6.5 2.5h3v11h-3zM10.5 6.5h3v7h-3z',
  jobs: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  dead: 'M8 2.5 14 13H2zM8 6.5v3M8 11.2v.1',
  groups: 'M2.5 2.5h4v4h-4zM9.5 9.5h4v4h-4zM6.5 4.5h5v5M4.5 6.5v5h5',
  queues: 'M2.5 3.5h11v3h-11zM2.5 9.5h11v3h-11z',
  schedules: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 4.8V8l2.2 1.6',
  recipes: 'M4 2.5h8v11H4zM6.2 5.5h3.6M6.2 8h3.6M6.2 10.5h2',
  workers: 'M4.5 4.5h7v7h-7zM6.5 2v2.5M9.5 2v2.5M6.5 11.5V14M9.5 11.5V14M2 6.5h2.5M2 9.5h2.5M11.5 6.5H14M11.5 9.5H14',
  settings: 'M2.5 4.5h6M11.5 4.5h2M8.5 3v3h3V3zM2.5 11.5h2M7.5 11.5h6M4.5 10v3h3v-3z',
  users:
    'M6 3a2.4 2.4 0 1 0 0 4.8A2.4 2.4 0 0 0 6 3zM1.8 13.2c.3-2.4 2-3.7 4.2-3.7s3.9 1.3 4.2 3.7M11 3.4a2.2 2.2 0 0 1 0 4.2M12 9.8c1.3.5 2.1 1.7 2.3 3.4',
  activity: 'M2 8.5h2.5L6.5 3.5l3 9 2-4H14',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3l3.2 3.2',
  more: 'M3 8h.1M8 8h.1M13 8h.1',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  retry: 'M13 8a5 5 0 1 1-1.5-3.6M13 2.5v2.8h-2.8',
  cancel: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM4.2 4.2l7.6 7.6',
  trash: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9',
  hold: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.2v9.6L12.5 8z',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  edit: 'M3 13l.6-2.7L10.5 3.4l2.1 2.1L5.7 12.4z',
  clone: 'M2.5 2.5h7v7h-7zM6.5 11.5v2h7v-7h-2',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9',
  moon: 'M13 9.6A5.6 5.6 0 0 1 6.4 3 5.6 5.6 0 1 0 13 9.6z',
  screen: 'M2 3.5h12v7.5H2zM6 13.5h4',
  keyboard: 'M1.5 4h13v8h-13zM4 6.5h.1M6.7 6.5h.1M9.3 6.5h.1M12 6.5h.1M5 9.5h6',
  out: 'M6.5 3H3v10h3.5M7.5 8H14M11.5 5.5L14 8l-2.5 2.5',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  left: 'M10 4L6 8l4 4',
  download: 'M8 2.5v7.5M5 7.5L8 10.5l3-3M3 13.5h10',
  link: 'M6.5 9.5l3-3M7 4.5l1.2-1.2a2.7 2.7 0 0 1 3.9 3.9L10.9 8.4M9 11.5l-1.2 1.2a2.7 2.7 0 0 1-3.9-3.9L5.1 7.6',
  warning: 'M8 2.5 14 13H2zM8 6.5v3M8 11.2v.1',
  info: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 7.5v3.5M8 5v.1',
  policy: 'M8 2l5 1.8v3.7c0 3-2 5.3-5 6.5-3-1.2-5-3.5-5-6.5V3.8zM5.8 7.8l1.6 1.6 2.8-3',
  secrets: 'M5.2 7.3a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM7.3 8.2l5.9-5.9M10.6 4.9l2 2M5.2 10.3h.1',
  lock: 'M4 7.5h8v6H4zM5.5 7.5v-2a2.5 2.5 0 0 1 5 0v2',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16, label }: { name: IconName; size?: number; label?: string }) {
  const named = label ? { role: 'img' as const, 'aria-label': label } : { 'aria-hidden': true };
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: the icon has a label or stands next to text
    <svg {...DRAWN} {...named} width={size} height={size}>
      <path d={PATHS[name]} />
    </svg>
  );
}

const DRAWN = {
  viewBox: '0 0 16 16',
  fill: 'none',
  stroke: 'currentColor',
  'stroke-width': '1.4',
  'stroke-linecap': 'round',
  'stroke-linejoin': 'round',
} as const;
