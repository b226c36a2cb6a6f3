// Sandbox profiles: built-in ones, and those of the setting sandbox_profiles.

import { z } from 'zod';
import { profilesOf } from '../../intake/isolation-check.ts';
import { BUILT_IN_SANDBOXES } from '../../job/isolation/sandbox-profile.ts';
import { route } from '../route.ts';

const paths = z.array(z.string());

const sandboxSchema = z
  .object({
    name: z.string(),
    is_built_in: z.boolean(),
    writable: paths.describe('Writable paths; {cwd} is the working directory of the job'),
    readonly: paths.describe('Read-only paths; {system} stands for the system paths of the profile strict'),
    hidden: paths,
    network: z.boolean(),
    tmp: z.enum(['private', 'shared']),
    env: z.union([z.literal('all'), z.array(z.string())]),
  })
  .meta({ id: 'Sandbox' });

export const sandboxRoutes = [
  route({
    id: 'listSandboxes',
    summary: 'List available sandboxes',
    role: 'viewer',
    answers: {
      200: { help: 'Sandboxes', schema: z.object({ sandboxes: z.array(sandboxSchema), next: z.null() }) },
    },
    handle: async ({ queue }) => {
      const profiles = Object.entries(profilesOf(await queue.settings()));
      const sandboxes = profiles.map(([name, profile]) => ({
        name,
        is_built_in: BUILT_IN_SANDBOXES.includes(name),
        ...profile,
      }));
      return { json: { sandboxes, next: null } };
    },
  }),
];
