// Relations to other jobs: concurrency keys, dependencies, hooks, tags, uniqueness and holds.

import { DEFAULT_WEIGHT } from '../flow/concurrency.ts';
import {
  type Dependency,
  DEPENDENCY_RULES,
  type DependencyRule,
  dependencyOn,
  dependencyText,
  FAILURE_POLICIES,
} from '../flow/dependencies.ts';
import { HOOK_NAMES, type HookName, type Hooks, hooksIn, hooksText } from '../flow/hooks.ts';
import { IF_EXISTS, UNIQUE_WHILE } from '../flow/unique.ts';
import { dependencies } from '../input/input-flow.ts';
import { hook, hooks } from '../input/input-hooks.ts';
import { uniqueFor, uniqueKey } from '../input/input-unique.ts';
import { INT32, MAX_WEIGHT, oneOf, tags } from '../input/input-readers.ts';
import type { Job } from '../job.ts';
import { jsonIn } from '../stored-json.ts';
import { bigint, type FieldTable, type Flag, OWN, text } from './field.ts';
import { GROUP_STAYS } from './identity.ts';
import {
  either,
  FLAG,
  INTEGER,
  listOf,
  named,
  NUMBER,
  objectOf,
  orNull,
  partialOf,
  TEXT,
  TIME,
  wordsOf,
} from './shape.ts';
import { NAME, whole } from './values.ts';

const DEPENDENCIES_STAY = 'dependencies are fixed when the job is enqueued';
const UNIQUENESS_STAYS = 'the unique key is fixed when the job is enqueued';

const NONE: readonly never[] = Object.freeze([]);
const NO_HOOKS: Hooks = Object.freeze({});

const listText = (list: readonly unknown[]): string | null => (list.length === 0 ? null : JSON.stringify(list));

/** Unreadable text, as after a manual edit, yields an empty list. */
function listIn<T>(text: unknown): readonly T[] {
  if (typeof text !== 'string') return [];
  const list = jsonIn(text);
  return Array.isArray(list) ? list : [];
}

const DEPENDENCY = named('Dependency', either(TEXT, objectOf({ on: TEXT }, { rule: wordsOf(DEPENDENCY_RULES) })));
type DependencyJson = string | { readonly on: string; readonly rule: string };
const SHOWN_DEPENDENCY = either(TEXT, objectOf({ on: TEXT, rule: TEXT }, {}));

const dependsOn = (rule: DependencyRule) => ({
  shape: either(DEPENDENCY, listOf(DEPENDENCY)),
  read: dependencies(rule),
});

/** The default rule is omitted. */
const dependencyToJson = (dependency: Dependency): DependencyJson =>
  dependency.rule === 'success'
    ? dependencyText(dependency)
    : { on: dependencyText(dependency), rule: dependency.rule };

const dependencyFrom = (json: DependencyJson): Dependency => {
  const { on, rule } = typeof json === 'string' ? { on: json, rule: 'success' } : json;
  return { ...dependencyOn(on), rule: rule as DependencyRule };
};

const PARENTS: Flag = { kind: 'text', topic: 'workflow', value: 'JOB', many: true };
const parents = (rule: DependencyRule, help: string) =>
  ({ ...dependsOn(rule), help, isAlias: true, flag: PARENTS }) as const;

const HOOK: Flag = { kind: 'text', topic: 'hooks', value: 'HOOK' };
const hookInput = (name: HookName, help: string) =>
  ({ shape: TEXT, read: hook(name), help, isAlias: true, flag: HOOK }) as const;
const HOOKS = named('Hooks', partialOf(Object.fromEntries(HOOK_NAMES.map((name) => [name, TEXT])) as HookShapes));
type HookShapes = Record<HookName, typeof TEXT>;

const TAGS = { shape: either(TEXT, listOf(TEXT)), read: tags, help: 'tags of the job, for filters' };
const UNIQUE = {
  shape: either(TEXT, wordsOf([true] as const)),
  read: uniqueKey,
  help: 'accept only one job with this key; true: one with the same command, queue and working directory',
};

export const FLOW = {
  key: {
    input: {
      key: {
        ...NAME,
        help: 'concurrency key: jobs with the same key run one at a time',
        flag: { kind: 'text', topic: 'limits', value: 'KEY' },
      },
    },
    unset: null,
    edit: 'replace or unset',
    json: { shape: orNull(TEXT) },
    stored: { columns: { key: text(({ key }) => key) } },
  },
  keyConcurrency: {
    input: {
      key_concurrency: {
        ...whole(1, INT32),
        help: 'maximum number of jobs with this key that run at once; the lowest value applies',
        flag: { kind: 'integer', topic: 'limits', value: 'N' },
      },
    },
    unset: null,
    edit: 'replace or unset',
    json: { shape: orNull(INTEGER) },
    stored: { columns: { key_concurrency: bigint(({ keyConcurrency }) => keyConcurrency) } },
  },
  weight: {
    input: {
      weight: {
        ...whole(1, MAX_WEIGHT),
        help: 'worker slots that the job occupies (default: 1)',
        flag: { kind: 'integer', topic: 'limits', value: 'N' },
      },
    },
    unset: null,
    edit: 'replace or unset',
    json: {
      shape: INTEGER,
      of: ({ weight }) => weight ?? DEFAULT_WEIGHT,
      from: (weight: number) => (weight === DEFAULT_WEIGHT ? null : weight),
    },
    stored: { columns: { weight: bigint(({ weight }) => weight) } },
  },
  dependsOn: {
    input: {
      depends_on: {
        ...dependsOn('success'),
        help: 'dependencies: IDs, names or group:NAME; the job runs when all have completed, unless a rule says otherwise',
      },
      after: parents('success', 'run after this job ID, name or group:NAME has completed (repeatable, or a,b)'),
      after_any_end: parents('end', 'run after this job ID, name or group:NAME has finished in any state'),
      after_failure: parents('failure', 'run after one of these jobs has failed'),
    },
    unset: NONE,
    noEdit: DEPENDENCIES_STAY,
    json: {
      shape: listOf(SHOWN_DEPENDENCY),
      of: ({ dependsOn }) => dependsOn.map(dependencyToJson),
      from: (json: readonly DependencyJson[]) => json.map(dependencyFrom),
    },
    stored: {
      columns: { depends_on: text(({ dependsOn }) => listText(dependsOn)) },
      read: (row) => listIn<Dependency>(row.depends_on),
    },
  },
  onDependencyFailure: {
    input: {
      on_dependency_failure: {
        shape: wordsOf(FAILURE_POLICIES),
        read: oneOf(FAILURE_POLICIES),
        help: `action if the dependencies can no longer be met: ${FAILURE_POLICIES.join(', ')}`,
        flag: { kind: 'text', topic: 'workflow', value: 'WHAT', choices: FAILURE_POLICIES },
      },
    },
    unset: 'cancel',
    noEdit: DEPENDENCIES_STAY,
    json: { shape: TEXT },
    stored: {
      columns: {
        on_dependency_failure: text(({ onDependencyFailure: policy }) => (policy === 'cancel' ? null : policy)),
      },
      read: (row) => (row.on_dependency_failure ?? 'cancel') as Job['onDependencyFailure'],
    },
  },
  schedule: {
    unset: null,
    json: { shape: orNull(TEXT) },
    stored: { columns: { schedule: text(({ schedule }) => schedule) } },
  },
  scheduledAt: {
    unset: null,
    json: { shape: orNull(TIME) },
    stored: { columns: { scheduled_at: bigint(({ scheduledAt }) => scheduledAt) } },
  },
  hooks: {
    input: {
      hooks: { shape: HOOKS, read: hooks, help: 'commands or webhooks to run when the job finishes' },
      on_success: hookInput(
        'on_success',
        'run this command or webhook when the job completes; the command gets QUEUECTL_JOB_ID, QUEUECTL_HOOK_EVENT and QUEUECTL_HOOK_JOB (the job as JSON)',
      ),
      on_failure: hookInput('on_failure', 'run this command or webhook when the job dies or is cancelled'),
      on_dead: hookInput('on_dead', 'run this command or webhook when the job dies'),
    },
    unset: NO_HOOKS,
    edit: 'part',
    json: { shape: orNull(HOOKS), from: (json: Hooks | null) => json ?? {} },
    stored: { columns: { hooks: text(({ hooks }) => hooksText(hooks)) }, read: (row) => hooksIn(row.hooks) },
  },
  groupHooks: {
    input: {
      group_hooks: {
        shape: HOOKS,
        read: hooks,
        help: 'commands or webhooks to run when the group finishes',
      },
      group_on_success: hookInput(
        'on_success',
        'run this command or webhook when all jobs of the group have completed',
      ),
      group_on_failure: hookInput(
        'on_failure',
        'run this command or webhook when the group has finished and not all jobs completed',
      ),
      group_on_dead: hookInput(
        'on_dead',
        'run this command or webhook when the group has finished and some jobs are dead',
      ),
    },
    unset: NO_HOOKS,
    noEdit: GROUP_STAYS,
  },
  hookOf: {
    unset: null,
    json: { shape: orNull(TEXT), help: 'The job, or group:NAME, whose end this job reports as a hook' },
    stored: {
      columns: { hook_of: text(({ hookOf }) => hookOf) },
      read: (row) => (row.hook_of ?? null) as string | null,
    },
  },
  tags: {
    input: {
      tags: TAGS,
      tag: {
        ...TAGS,
        isAlias: true,
        flag: {
          kind: 'text',
          topic: 'workflow',
          value: 'TAG',
          many: true,
          help: 'tag for filters such as tag:TAG (repeatable)',
        },
      },
    },
    unset: NONE,
    edit: 'replace or unset',
    json: { shape: listOf(TEXT) },
    stored: {
      columns: { tags: text(({ tags }) => listText(tags)) },
      read: (row) => listIn<string>(row.tags),
    },
  },
  uniqueKey: {
    input: {
      unique_key: UNIQUE,
      unique: {
        ...UNIQUE,
        isAlias: true,
        flag: {
          kind: 'text',
          topic: 'workflow',
          value: '[KEY]',
          optional: { insteadOfArgument: ['file', 'command'] },
          help: 'accept only one job with this key (default: command, queue and directory)',
        },
      },
    },
    unset: null,
    noEdit: UNIQUENESS_STAYS,
    json: { shape: orNull(TEXT) },
    stored: { columns: { unique_key: text(({ uniqueKey }) => uniqueKey) } },
  },
  uniqueFor: {
    input: {
      unique_for: {
        shape: either(TEXT, NUMBER),
        read: uniqueFor,
        help: `${UNIQUE_WHILE.join(', ')} or a duration after the job was enqueued (default: waiting)`,
        flag: { kind: 'text', topic: 'workflow', value: 'WHILE', choices: UNIQUE_WHILE },
      },
    },
    unset: null,
    noEdit: UNIQUENESS_STAYS,
  },
  ifExists: {
    input: {
      if_exists: {
        shape: wordsOf(IF_EXISTS),
        read: oneOf(IF_EXISTS),
        help: `action if such a job exists: ${IF_EXISTS.join(', ')} (default: skip)`,
        flag: { kind: 'text', topic: 'workflow', value: 'WHAT', choices: IF_EXISTS },
      },
    },
    unset: null,
    noEdit: UNIQUENESS_STAYS,
  },
  held: {
    json: { shape: FLAG, of: ({ held }) => held !== null },
    stored: OWN,
  },
  heldReason: { json: { shape: orNull(TEXT), of: ({ held }) => held } },
} satisfies Partial<FieldTable>;
