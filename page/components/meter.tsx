// How much of something is taken, as a small bar beside the words that say it.

interface Props {
  readonly used: number;
  readonly of: number;
  readonly label: string;
  readonly isFull?: boolean;
}

export const Meter = ({ used, of, label, isFull = false }: Props) => (
  <span class="meter" role="img" aria-label={label} title={label} data-full={isFull}>
    <span style={{ width: `${Math.min(100, (used / Math.max(of, 1)) * 100)}%` }} />
  </span>
);
