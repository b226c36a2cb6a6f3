// A row of the benchmark table: what is measured, against what in the same run, and what we want to reach.

export interface Row {
  readonly measure: string;
  readonly against: string;
  readonly ours: string;
  readonly theirs: string;
  /** Ours divided by theirs, in the direction that `reach` speaks of. */
  readonly ratio: number;
  readonly reach: string;
  readonly reached: boolean;
}

export interface Bench {
  readonly name: string;
  run(say: (line: string) => void): Promise<Row[]>;
}

export const atMost = (ratio: number, limit: number): Pick<Row, 'ratio' | 'reach' | 'reached'> => ({
  ratio,
  reach: `≤ ${limit}`,
  reached: ratio <= limit,
});

export const atLeast = (ratio: number, limit: number): Pick<Row, 'ratio' | 'reach' | 'reached'> => ({
  ratio,
  reach: `≥ ${limit}`,
  reached: ratio >= limit,
});

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`;
export const us = (value: number): string => `${value.toFixed(1)} µs`;
export const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en-US')}/s`;
