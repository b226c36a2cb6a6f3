// Isolation of a job, and the recipe it was made from. One column stores all of it.

import { confinementOf, confinementText } from '../isolation/isolation.ts';
import { BUILT_IN_SANDBOXES } from '../isolation/sandbox-profile.ts';
import {
  LIMIT_INPUT,
  LIMIT_MODES,
  LIMITS_SHAPE,
  limits,
  limitsToJson,
  SHOWN_LIMITS_SHAPE,
} from '../input/limits-input.ts';
import { params } from '../input/recipe-input.ts';
import { secrets, secretText } from '../input/secret-input.ts';
import { type FieldTable, text } from './field.ts';
import { either, FLAG, listOf, mapOf, NUMBER, orNull, TEXT, wordsOf } from './shape.ts';
import { NAME } from './values.ts';

const RECIPE_STAYS = 'a job keeps the recipe and parameters that it was created from';
const SECRETS = {
  shape: either(TEXT, listOf(TEXT)),
  read: secrets,
  help: 'secrets for the job: NAME, NAME=VARIABLE, NAME:file',
};

export const ISOLATION = {
  confinement: {
    stored: {
      columns: { confinement: text(({ confinement }) => confinementText(confinement)) },
      read: (row) => confinementOf(row.confinement) ?? null,
    },
  },
  limits: {
    input: {
      ...LIMIT_INPUT,
      limits: {
        shape: either(wordsOf(LIMIT_MODES), LIMITS_SHAPE),
        read: limits,
        help: 'limits by name, or what to do if one cannot be enforced: strict, best-effort',
        flag: {
          kind: 'text',
          topic: 'limits',
          value: 'MODE',
          help: 'if a limit cannot be enforced: do not start the job (strict), or ignore the limit (best-effort)',
          choices: LIMIT_MODES,
        },
      },
    },
    edit: 'part',
    json: { shape: orNull(SHOWN_LIMITS_SHAPE), of: ({ confinement }) => limitsToJson(confinement?.limits) },
  },
  sandbox: {
    input: {
      sandbox: {
        ...NAME,
        help: `sandbox profile: ${BUILT_IN_SANDBOXES.join(', ')} or a custom profile`,
        flag: { kind: 'text', topic: 'limits', value: 'PROFILE' },
      },
    },
    edit: 'part',
    json: { shape: orNull(TEXT), of: ({ confinement }) => confinement?.sandbox ?? null },
  },
  user: {
    input: {
      user: {
        ...NAME,
        help: 'run the job as this user (requires a worker running as root)',
        flag: { kind: 'text', topic: 'limits', value: 'NAME' },
      },
    },
    edit: 'part',
    json: { shape: orNull(TEXT), of: ({ confinement }) => confinement?.user ?? null },
  },
  recipe: {
    input: {
      recipe: {
        ...NAME,
        help: 'recipe (command template) for the command; see queuectl recipe list',
        flag: { kind: 'text', topic: 'isolation', value: 'NAME' },
      },
    },
    noEdit: RECIPE_STAYS,
    json: { shape: orNull(TEXT), of: ({ confinement }) => confinement?.recipe?.name ?? null },
  },
  params: {
    input: {
      params: {
        shape: mapOf(either(either(TEXT, NUMBER), FLAG)),
        read: params,
        help: 'parameters of the recipe',
        flag: {
          name: 'param',
          kind: 'text',
          topic: 'isolation',
          value: 'K=V',
          many: true,
          help: 'set a parameter of the recipe (repeatable)',
        },
      },
    },
    noEdit: RECIPE_STAYS,
    json: { shape: orNull(mapOf(TEXT)), of: ({ confinement }) => confinement?.recipe?.params ?? null },
  },
  secrets: {
    input: {
      secrets: SECRETS,
      secret: {
        ...SECRETS,
        isAlias: true,
        flag: {
          kind: 'text',
          topic: 'isolation',
          value: 'NAME',
          many: true,
          help: 'provide a secret in a variable (NAME, NAME=VAR) or in a file (NAME:file) (repeatable)',
        },
      },
    },
    edit: 'part',
    json: {
      shape: listOf(TEXT),
      help: 'Names, never values',
      of: ({ confinement }) => (confinement?.secrets ?? []).map(secretText),
    },
  },
} satisfies Partial<FieldTable>;
