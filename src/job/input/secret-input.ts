// Reads the secrets of a new job: NAME, NAME=VARIABLE, NAME:file or NAME:file=VARIABLE.

import type { SecretUse } from '../isolation/isolation.ts';
import { invalid, quote, text } from './input-readers.ts';

const NAME = '[A-Za-z_][A-Za-z0-9_]{0,127}';
const USE = new RegExp(`^(${NAME})(:file)?(?:=(${NAME}))?$`);
const MOST = 100;

export const isSecretName = (name: string): boolean => new RegExp(`^${NAME}$`).test(name);

/** Reads one secret or a list. */
export function secrets(value: unknown, field: string): readonly SecretUse[] {
  const uses = [value].flat().map((said) => useOf(text(said, field)));
  if (uses.length > MOST) throw invalid(`'${field}' has ${uses.length} secrets; the maximum is ${MOST}`);
  const variables = uses.map(({ variable }) => variable);
  const twice = variables.find((variable, i) => variables.indexOf(variable) < i);
  if (twice !== undefined)
    throw invalid(`two secrets use the variable ${twice}`, 'choose another variable: NAME=VARIABLE');
  return uses;
}

function useOf(said: string): SecretUse {
  const [, name, file, variable] = USE.exec(said) ?? [];
  if (name === undefined)
    throw invalid(
      `${quote(said)} is not a valid secret`,
      'write NAME, NAME=VARIABLE, NAME:file or NAME:file=VARIABLE; set the value with: queuectl secret set NAME',
    );
  const use: SecretUse = {
    name,
    as: file === undefined ? 'variable' : 'file',
    variable: variable ?? (file === undefined ? name : `${name}_FILE`),
  };
  if (use.variable.startsWith('QUEUECTL_'))
    throw invalid(`a secret cannot use the variable ${use.variable}`, 'names that begin with QUEUECTL_ are reserved');
  return use;
}

/** Returns the secret as input. */
export function secretText({ name, as, variable }: SecretUse): string {
  const kind = as === 'file' ? `${name}:file` : name;
  return variable === (as === 'file' ? `${name}_FILE` : name) ? kind : `${kind}=${variable}`;
}
