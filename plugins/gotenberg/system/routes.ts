import {
  Type,
  type Administration,
  type Metrics,
  type PublicRoutes,
  type Routes,
} from '../../../src/plugin.ts';
import type { Settings } from '../settings.ts';
import { readHealth } from './health.ts';
import { writeMetrics } from './metrics.ts';

/** The version of Gotenberg whose behaviour the routes have. Clients parse it. */
const GOTENBERG_VERSION = '8.36.0';

const ROOT =
  'Hey, Gotenberg has no UI, it\'s an API. Head to the <a href="https://gotenberg.dev">documentation</a> to learn how to interact with it 🚀';

/** The services that the routes use. */
interface SystemParts {
  routes: Routes;
  publicRoutes: PublicRoutes;
  settings: Settings;
  administration: Pick<Administration, 'checkHealth' | 'plugins'>;
  metrics: Pick<Metrics, 'read'>;
  hasLibreOffice: boolean;
}

/** The description of a route, and its handler. */
interface SystemRoute {
  path: string;
  summary: string;
  operationId: string;
  /** Absent from a route that only browsers ask for, which is not documented. */
  mediaTypes?: readonly string[];
  handle: () => Response | Promise<Response>;
}

const Health = Type.Object(
  {
    status: Type.String({ description: '`up` or `down`.' }),
    details: Type.Record(Type.String(), Type.Any(), {
      description: 'The state of `chromium` and `libreoffice`, and of parts that are down.',
    }),
  },
  { title: 'GotenbergHealth' },
);

/**
 * Mounts the routes that make no files. With Gotenberg's basic authentication they need it, except `/health`.
 * The page at `/` is that of the studio, unless the studio is off or there is a root path.
 */
export function mountSystemRoutes({
  routes,
  publicRoutes,
  settings,
  administration,
  metrics,
  hasLibreOffice,
}: SystemParts): void {
  const { rootPath } = settings;

  publicRoutes.get(
    `${rootPath}health`,
    {
      scope: 'public',
      summary: 'Check the health of the service',
      operationId: 'getGotenbergHealth',
      description: 'Responds with 503 when the service is down. Also takes HEAD.',
      response: {
        schema: Health,
        example: {
          status: 'up',
          details: { chromium: { status: 'up', timestamp: '2026-11-27T18:00:00.000Z' } },
        },
      },
    },
    async () => {
      const health = await readHealth(administration, { hasLibreOffice });
      return new Response(JSON.stringify(health), {
        status: health.status === 'up' ? 200 : 503,
        headers: { 'content-type': 'application/json; charset=utf-8' },
      });
    },
  );

  const add = ({ path, summary, operationId, mediaTypes, handle }: SystemRoute, needsKey: boolean) => {
    const shown = mediaTypes ? { response: { mediaTypes } } : { hidden: true };
    const spec = { summary, operationId, ...shown };
    if (needsKey) routes.get(path, { ...spec, scope: 'usage' }, handle);
    else publicRoutes.get(path, { ...spec, scope: 'public' }, handle);
  };
  const isProtected = settings.basicAuth !== undefined;
  add(
    {
      path: `${rootPath}version`,
      summary: 'Read the version of Gotenberg that the routes follow',
      operationId: 'getGotenbergVersion',
      mediaTypes: ['text/plain'],
      handle: () => textResponse(GOTENBERG_VERSION),
    },
    isProtected,
  );
  add(
    {
      path: `${rootPath}favicon.ico`,
      summary: 'Answer browsers that ask for an icon',
      operationId: 'getGotenbergIcon',
      handle: () => new Response(null, { status: 204 }),
    },
    isProtected,
  );
  // At `/` is the studio, or the documentation.
  if (rootPath !== '/')
    add(
      {
        path: rootPath,
        summary: 'Read the greeting of Gotenberg',
        operationId: 'getGotenbergGreeting',
        handle: () => new Response(ROOT, { headers: { 'content-type': 'text/html; charset=UTF-8' } }),
      },
      isProtected,
    );
  if (!settings.metrics.isOff)
    add(
      {
        path: rootPath + settings.metrics.path.slice(1),
        summary: 'Read metrics under the names of Gotenberg',
        operationId: 'getGotenbergMetrics',
        mediaTypes: ['text/plain'],
        handle: async () =>
          new Response(await writeMetrics(metrics, settings.metrics.namespace), {
            headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores' },
          }),
      },
      isProtected,
    );
  if (settings.hasDebugRoute)
    add(
      {
        path: `${rootPath}debug`,
        summary: 'Read the settings of the Gotenberg routes',
        operationId: 'getGotenbergSettings',
        mediaTypes: ['application/json'],
        handle: () =>
          new Response(JSON.stringify(describeSettings(settings, administration.plugins)), {
            headers: { 'content-type': 'application/json' },
          }),
      },
      true,
    );
}

function textResponse(body: string): Response {
  return new Response(body, { headers: { 'content-type': 'text/plain; charset=UTF-8' } });
}

/** Describes the settings as Gotenberg's `/debug`, by its flags. Passwords are left out. */
function describeSettings({ texts, hasDebugData }: Settings, plugins: readonly string[]): object {
  const nothing = { version: '', timezone: '', architecture: '', modules: null, flags: null };
  if (!hasDebugData) return { ...nothing, modules_additional_data: null };
  const flags = Object.entries(texts).map(([name, text]) => [name.toLowerCase().replaceAll('_', '-'), text]);
  const modules = {
    api: true,
    chromium: plugins.includes('render'),
    libreoffice: plugins.includes('office'),
    pdfengines: plugins.includes('pdf-tools'),
    prometheus: true,
    webhook: true,
  };
  return {
    version: GOTENBERG_VERSION,
    timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    architecture: process.arch,
    modules_additional_data: {},
    modules: Object.entries(modules).flatMap(([name, isOn]) => (isOn ? [name] : [])),
    flags: Object.fromEntries(flags),
  };
}
