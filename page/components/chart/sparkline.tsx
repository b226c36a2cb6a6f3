// A few numbers as small bars, latest last; the label contains the numbers.

const [WIDTH, HEIGHT, GAP] = [112, 28, 2];

export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const highest = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length);
  return (
    <svg
      class="sparkline"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      {values.map((value, i) => {
        const height = value === 0 ? 1 : Math.max(3, (value / highest) * HEIGHT);
        const place = { x: i * step, y: HEIGHT - height, width: step - GAP, height };
        return <rect key={`${i}-${value}`} {...place} class={value === 0 ? 'none' : ''} />;
      })}
    </svg>
  );
}
