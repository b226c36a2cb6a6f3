// Recipe operations for commands, routes, new jobs and workers. Loaded on demand.

import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { QueueError } from '../errors/errors.ts';
import { isValidId, VALID_NAMES } from '../job/id.ts';
import type { NewJob } from '../job/job.ts';
import { isBelow } from '../job/isolation/policy.ts';
import { type BoundPath, checkedRecipe, type FilledRecipe, fillRecipe } from '../job/isolation/recipe.ts';
import { invalidRecipe, readRecipe, type Recipe } from '../job/isolation/recipe-text.ts';
import type { NamedText, Store } from '../store/store.ts';
import { nearest } from '../text/nearest.ts';

export interface StoredRecipe {
  readonly name: string;
  readonly command: readonly string[];
  readonly createdAt: number;
  readonly createdBy: string;
}

type Made = Pick<NewJob, 'command' | 'cwd' | 'confinement'>;

export class QueueRecipes {
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  async all(): Promise<StoredRecipe[]> {
    return (await this.store.texts.recipes.all()).map(storedOf);
  }

  /** Throws recipe_not_found if it does not exist. */
  async get(name: string): Promise<StoredRecipe> {
    const found = await this.store.texts.recipes.get(name);
    if (found) return storedOf(found);
    const near = nearest(name, (await this.all()).map((recipe) => recipe.name)); // biome-ignore format: one line
    const hint = near ? `did you mean '${near}'?` : 'list the recipes: queuectl recipe list';
    throw new QueueError('recipe_not_found', { name, hint });
  }

  /** Throws invalid_recipe or recipe_exists. */
  async add(
    wanted: { readonly name: string; readonly command: readonly string[]; readonly mayReplace: boolean },
    createdBy: string,
  ): Promise<StoredRecipe> {
    const { name, command, mayReplace } = wanted;
    if (!isValidId(name)) throw invalidRecipe(`invalid recipe name '${name.slice(0, 40)}'`, VALID_NAMES);
    checkedRecipe(name, command);
    const entry = { name, text: JSON.stringify({ command }), createdAt: this.store.now(), createdBy };
    if (!(await this.store.texts.recipes.save(entry, mayReplace))) throw new QueueError('recipe_exists', { name });
    return storedOf(entry);
  }

  /** Jobs made from it that have not started will be rejected. Throws recipe_not_found. */
  async remove(name: string): Promise<void> {
    await this.get(name);
    await this.store.texts.recipes.remove(name);
  }

  /** Returns jobs with the commands of their recipes. Throws recipe_not_found or invalid_job. */
  async filled<T extends Made>(jobs: readonly T[]): Promise<T[]> {
    const known = new Map<string, Recipe>();
    const made: T[] = [];
    for (const job of jobs) {
      const { recipe: use } = job.confinement ?? {};
      if (use === undefined) {
        made.push(job);
        continue;
      }
      const recipe = known.get(use.name) ?? recipeOf(await this.get(use.name));
      known.set(use.name, recipe);
      const { command, paths } = fillRecipe(recipe, use.params, job.cwd);
      const problem = escaping(paths);
      if (problem) throw new QueueError('invalid_job', { problem: `recipe '${use.name}': ${problem}`, hint: '' });
      made.push({ ...job, command });
    }
    return made;
  }

  /** Returns why a job must not start, or null if its command matches its recipe and parameters. */
  async rejectionOf({ command, cwd, confinement }: Made): Promise<string | null> {
    const use = confinement?.recipe;
    if (use === undefined) return null;
    const stored = await this.store.texts.recipes.get(use.name);
    if (stored === null) return `its recipe '${use.name}' was deleted after the job was enqueued`;
    const filled = tryFilling(storedOf(stored), use.params, cwd ?? process.cwd());
    if (filled === null || !isSame(filled.command, command))
      return `its command does not match its recipe '${use.name}': the recipe or the job was changed after the job was enqueued`;
    return escaping(filled.paths);
  }
}

export const recipeOf = ({ name, command }: Pick<StoredRecipe, 'name' | 'command'>): Recipe =>
  readRecipe(name, command);

function tryFilling(recipe: StoredRecipe, params: unknown, cwd: string): FilledRecipe | null {
  try {
    return fillRecipe(recipeOf(recipe), params as Record<string, string>, cwd);
  } catch {
    return null;
  }
}

const isSame = (a: readonly string[], b: NewJob['command']): boolean =>
  typeof b !== 'string' && a.length === b.length && a.every((word, i) => word === b[i]);

/** Returns a path that leaves its directory through a symbolic link, or null. */
function escaping(paths: readonly BoundPath[]): string | null {
  const out = paths.find(({ path, folder }) => !isBelow(realPath(path), realPath(folder)));
  return out ? `the parameter '${out.parameter}' points outside ${out.folder}` : null;
}

const MOST_LINKS = 40;

/** Resolves as much of the path as exists, including links to missing files. */
function realPath(path: string, links = 0): string {
  try {
    return realpathSync(path);
  } catch {
    if (path === dirname(path) || links > MOST_LINKS) return path;
    const folder = realPath(dirname(path), links + 1);
    const target = linkAt(path);
    return target === null ? join(folder, basename(path)) : realPath(resolve(folder, target), links + 1);
  }
}

function linkAt(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

function storedOf({ name, text, createdAt, createdBy }: NamedText): StoredRecipe {
  return { name, command: commandIn(text), createdAt, createdBy };
}

/** An unreadable value from a manual edit yields no command. */
function commandIn(text: string): readonly string[] {
  try {
    const { command } = JSON.parse(text) as { command?: unknown };
    return Array.isArray(command) && command.every((word) => typeof word === 'string') ? command : [];
  } catch {
    return [];
  }
}
