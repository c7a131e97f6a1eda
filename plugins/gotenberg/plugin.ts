import { definePlugin } from '../../src/plugin.ts';
import { addChromiumRoutes } from './chromium/routes.ts';
import { createSchemes } from './credentials.ts';
import { formBody } from './form/form-body.ts';
import { createFormRoutes } from './form-route.ts';
import { addLibreOfficeRoutes } from './libreoffice/routes.ts';
import { addPdfEngineRoutes } from './pdf-engines/routes.ts';
import { createProtocol } from './protocol.ts';
import { Config, env, readSettings } from './settings.ts';

export default definePlugin({
  name: 'gotenberg',
  title: 'Gotenberg',
  description: "Gotenberg's routes, for clients of Gotenberg 8.",
  guide: new URL('../../docs/gotenberg.md', import.meta.url),
  requires: ['render'],
  uses: ['pdf-tools', 'office'],
  config: Config,
  env,
  collections: {},
  bodyKinds: [formBody],
  setup({ config, accounts, identifyByKey, serve, log, sandbox, services }) {
    const settings = readSettings(config);
    if (settings.ignored.length > 0)
      log.warn(`these variables of Gotenberg have no effect: ${settings.ignored.join(', ')}`);
    const schemes = createSchemes({ accounts, identifyByKey }, settings);
    const { routes } = serve(createProtocol(settings, schemes));
    const forms = createFormRoutes(routes, settings);
    const tools = services['pdf-tools'];
    const { render } = services;
    if (!settings.chromium.areRoutesOff) addChromiumRoutes(forms, { render, tools, settings });
    if (tools && !settings.pdfEngines.areRoutesOff) addPdfEngineRoutes(forms, { tools, sandbox });
    if (tools && !settings.libreOffice.areRoutesOff)
      addLibreOfficeRoutes(forms, { tools, office: services.office });
    return {};
  },
});
