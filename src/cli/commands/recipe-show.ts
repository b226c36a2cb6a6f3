import { type Parameter, parameterInWords } from '../../job/isolation/recipe-parameter.ts';
import { recipeOf } from '../../queue/recipes.ts';
import type { Command } from '../command.ts';
import { commandLine } from '../render/kit/command-line.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'recipe show',
  purpose: 'set up',
  summary: 'show the command and parameters of a recipe',
  usage: ['NAME'],
  examples: [['queuectl recipe show resize', 'show the recipe and an example of its use']],
  completes: 'recipe',
  run: async (context) => {
    const [name = ''] = exactArguments(context, ['name'], 'recipe show');
    const recipe = await context.call('getRecipe', { name });
    const parameters = [...recipeOf(recipe).parameters.values()];
    const lines = [
      `${name}  ${commandLine(recipe.command)}`,
      ...parameters.map((parameter) => `  ${parameter.name}: ${parameterInWords(parameter)}`),
      '',
      `  queuectl enqueue --recipe ${name}${parameters
        .filter(isNeeded)
        .map(({ name }) => ` --param ${name}=…`)
        .join('')}`,
    ];
    return { data: recipe, text: lines.join('\n') };
  },
};

const isNeeded = ({ fallback }: Parameter): boolean => fallback === null;
