import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { definePlugin, Type } from '../../src/plugin.ts';
import '../templates/contract.ts';
import { readStarters, type StarterFiles } from './read-starters.ts';
import { mountRoutes } from './routes.ts';
import { validateStarters } from './validate-starters.ts';
import { createStartersService } from './service.ts';

const BUILT_IN = fileURLToPath(new URL('../../starters', import.meta.url));
/** The starters that are docx, xlsx and pptx files. */
const OFFICE = fileURLToPath(new URL('../../starters/office', import.meta.url));

export default definePlugin({
  name: 'starters',
  title: 'Starter templates',
  description: 'Start from a ready-made template.',
  guide: new URL('../../docs/starter-templates.md', import.meta.url),
  requires: ['documents', 'templates'],
  uses: ['render', 'template-tests'],
  config: Type.Object(
    {
      directory: Type.Optional(Type.String({ minLength: 1, description: 'A folder with custom starters.' })),
    },
    { additionalProperties: false },
  ),
  env: { STARTERS_DIR: 'directory' },
  collections: {},
  async setup({ config: { directory }, log, services, routes, publicRoutes }) {
    const [html, office] = [await readStarters(BUILT_IN, 'starters'), await readStarters(OFFICE, 'starters')];
    const builtIn: StarterFiles = new Map([...html, ...office]);
    const custom: StarterFiles =
      directory === undefined ? new Map() : await readStarters(resolve(directory), 'STARTERS_DIR');
    // A custom starter replaces the built-in starter with the same slug.
    const service = createStartersService(new Map([...builtIn, ...custom]));
    const { templates, 'template-tests': tests } = services;
    mountRoutes({ routes, publicRoutes, starters: service, templates, tests, log });
    // The test suite validates the built-in starters; only custom starters are checked at startup.
    const { handlebars } = services.documents;
    return { service, start: () => validateStarters(custom, { handlebars, ...services }) };
  },
});
