// Random jobs: everything that a checked input can be.

import { isValidJobId } from '../../src/job/id.ts';
import fc from 'fast-check';
import { FAILURE_POLICIES } from '../../src/job/flow/dependencies.ts';
import { HOOK_NAMES } from '../../src/job/flow/hooks.ts';
import { type NewJob, STRATEGIES } from '../../src/job/job.ts';
import { USUAL_RULES } from '../../src/job/outcome-rules.ts';

/** Any character of Unicode: the unit that fast-check calls binary, without the second that it takes to prepare that. */
export const aCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((point) => String.fromCodePoint(point));

const words = fc.array(fc.constantFrom(...'abcxyzABC019._:-'), { minLength: 1, maxLength: 128 });
export const anId = words.map((letters) => letters.join('')).filter(isValidJobId);

/** Well-formed text without NUL, rich in what shells, JSON and SQL treat in their own way. */
export const aText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...`'"\`$\\;|&<>(){}[]*?~#!% \n\r\t`,
        '$HOME',
        '$(id)',
        '--',
        "'; DROP TABLE jobs; --",
        '🦊',
        'é',
      ),
      fc.string({ unit: aCharacter, minLength: 1, maxLength: 3 }).filter((text) => !text.includes('\0')),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));

export const aCommand = fc.oneof(
  aText.filter((line) => line.trim() !== ''),
  fc.tuple(aText, fc.array(aText, { maxLength: 4 })).map(([first, rest]) => [first || 'true', ...rest]),
);

const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

/** A limit says something of a group or a key, and is rejected without one. */
const withoutVainLimits = (job: NewJob): NewJob => ({
  ...job,
  groupConcurrency: job.group === null ? null : job.groupConcurrency,
  keyConcurrency: job.key === null ? null : job.keyConcurrency,
});

export const aNewJob: fc.Arbitrary<NewJob> = fc
  .record({
    id: anId,
    command: aCommand,
    queue: anId,
    priority: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    maxRetries: fc.integer({ min: 0, max: 1_000_000 }),
    backoffBase: orNull(fc.double({ min: 0, max: 315_360_000, noNaN: true }).map(withoutMinusZero)),
    backoffStrategy: orNull(fc.constantFrom(...STRATEGIES)),
    timeoutSeconds: orNull(fc.double({ min: 0.001, max: 315_360_000, noNaN: true })),
    runAt: orNull(fc.integer({ min: 0, max: Date.parse('9999-12-31T23:59:59.999Z') })),
    cwd: fc.constantFrom('/', '/tmp', '/srv/with space/é'),
    env: fc.dictionary(
      aText.filter((name) => name !== '' && !name.includes('=')),
      aText,
      { noNullPrototype: true },
    ),
    splitOutput: fc.boolean(),
    outcomeRules: orNull(fc.constant({ ...USUAL_RULES, snoozeCode: 75 })),
    confinement: orNull(fc.constant({ sandbox: 'strict', user: 'nobody' })),
    stdin: orNull(aText.map((text) => Buffer.from(text))),
    name: orNull(anId),
    group: orNull(anId.filter((name) => !name.startsWith('group:'))),
    groupConcurrency: orNull(fc.integer({ min: 1, max: 2 ** 31 - 1 })),
    key: orNull(anId),
    keyConcurrency: orNull(fc.integer({ min: 1, max: 2 ** 31 - 1 })),
    weight: orNull(fc.integer({ min: 1, max: 100_000 })),
    dependsOn: fc.constant([]),
    onDependencyFailure: fc.constantFrom(...FAILURE_POLICIES),
    schedule: fc.constant(null),
    scheduledAt: fc.constant(null),
    hooks: fc.dictionary(fc.constantFrom(...HOOK_NAMES), fc.constantFrom('echo done', 'https://example.com/hook'), {
      noNullPrototype: true,
    }),
    groupHooks: fc.constant({}),
    hookOf: fc.constant(null),
    tags: fc.uniqueArray(anId, { maxLength: 3 }),
    uniqueKey: fc.constant(null),
    uniqueFor: fc.constant(null),
    ifExists: fc.constant(null),
  })
  .map(withoutVainLimits);

/** JSON knows one zero. */
function withoutMinusZero(value: number): number {
  return value === 0 ? 0 : value;
}
