import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { definePlugin, Type } from '../../src/plugin.ts';
import '../templates/contract.ts';
import { readStarters, type StarterFiles } from './read-starters.ts';
import { mountRoutes } from './routes.ts';
import { requireUsable } from './require-usable.ts';
import { createStartersService } from './service.ts';

const BUILT_IN = fileURLToPath(new URL('../../starters', import.meta.url));

export default definePlugin({
  name: 'starters',
  description: 'Templates to start from.',
  requires: ['templates'],
  config: Type.Object(
    {
      directory: Type.Optional(
        Type.String({ minLength: 1, description: "A folder of a team's own starters." }),
      ),
    },
    { additionalProperties: false },
  ),
  env: { STARTERS_DIR: 'directory' },
  collections: {},
  async setup({ config: { directory }, services, handlebars, routes, publicRoutes }) {
    const builtIn = await readStarters(BUILT_IN, 'starters');
    const own: StarterFiles =
      directory === undefined ? new Map() : await readStarters(resolve(directory), 'STARTERS_DIR');
    // A team's starter takes the place of the one of the same slug.
    const service = createStartersService(new Map([...builtIn, ...own]));
    mountRoutes({ routes, publicRoutes, starters: service, templates: services.templates });
    // Those in the tree are judged by the tests.
    return { service, start: () => requireUsable(own, { handlebars, templates: services.templates }) };
  },
});
