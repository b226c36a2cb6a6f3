// This program, to be run once more beside itself: arguments for process.execPath.

export const itself = (...args: readonly string[]): string[] => [
  ...process.execArgv,
  process.argv[1] ?? '',
  ...args,
];
