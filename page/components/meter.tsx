// The used share of a limit as a small bar next to its text.

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
