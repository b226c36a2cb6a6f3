// A row of the benchmark table: the measure, what it is compared with in the same run, and the target.

export interface Row {
  readonly measure: string;
  readonly against: string;
  readonly ours: string;
  readonly theirs: string;
  /** Our value divided by theirs, in the direction of `reach`. */
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
