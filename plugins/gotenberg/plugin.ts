import { definePlugin } from '../../src/plugin.ts';
import { addChromiumRoutes } from './chromium/routes.ts';
import { createSchemes } from './credentials.ts';
import { formBody } from './form/form-body.ts';
import { createFormRoutes } from './form-route.ts';
import { createProtocol } from './protocol.ts';
import { Config, env, readSettings } from './settings.ts';

export default definePlugin({
  name: 'gotenberg',
  title: 'Gotenberg',
  description: "Gotenberg's routes, for clients of Gotenberg 8.",
  guide: new URL('../../docs/gotenberg.md', import.meta.url),
  config: Config,
  env,
  collections: {},
  bodyKinds: [formBody],
  requires: ['render'],
  setup({ config, accounts, identifyByKey, serve, services, log }) {
    const settings = readSettings(config);
    if (settings.ignored.length > 0)
      log.warn(`these variables of Gotenberg have no effect: ${settings.ignored.join(', ')}`);
    const schemes = createSchemes({ accounts, identifyByKey }, settings);
    const { routes } = serve(createProtocol(settings, schemes));
    const forms = createFormRoutes(routes, settings);
    if (!settings.chromium.areRoutesOff) addChromiumRoutes(forms, { render: services.render, settings });
    return {};
  },
});
