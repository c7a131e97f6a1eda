import { definePlugin } from '../../src/plugin.ts';
import { createAccount } from './account.ts';
import { addChromiumRoutes } from './chromium/routes.ts';
import type { FormRoutes } from './contract.ts';
import { createSchemes } from './credentials.ts';
import { formBody } from './form/form-body.ts';
import { createFormRoutes } from './form-route.ts';
import { addLibreOfficeRoutes } from './libreoffice/routes.ts';
import { openOutbound } from './outbound/outbound.ts';
import { createUrlFilter } from './outbound/url-filter.ts';
import { addPdfEngineRoutes } from './pdf-engines/routes.ts';
import { createProtocol, describeError } from './protocol.ts';
import { Config, env, readSettings } from './settings.ts';
import { mountSystemRoutes } from './system/routes.ts';
import { webhookCalls } from './webhook/collections.ts';
import { createSendNow } from './webhook/send-now.ts';
import { createWebhookCalls } from './webhook/webhook-calls.ts';

export default definePlugin({
  name: 'gotenberg',
  title: 'Gotenberg',
  description: "Gotenberg's routes, for clients of Gotenberg 8.",
  guide: new URL('../../docs/gotenberg.md', import.meta.url),
  requires: ['documents'],
  uses: ['render', 'pdf-tools', 'office'],
  config: Config,
  env,
  collections: { calls: webhookCalls },
  bodyKinds: [formBody],
  sandboxModules: [new URL('./outbound/tasks.ts', import.meta.url)],
  async setup({ config, collections, errors, serve, services, ...context }) {
    const { administration, log, metrics, sandbox, webhooks } = context;
    const settings = readSettings(config);
    if (settings.ignored.length > 0)
      log.warn(`these variables of Gotenberg have no effect: ${settings.ignored.join(', ')}`);
    const { routes, publicRoutes } = serve(createProtocol(settings, createSchemes(context, settings)));
    const outbound = await openOutbound(context, createUrlFilter(sandbox, log));
    const sender = {
      outbound,
      settings,
      describe: (error: Parameters<typeof describeError>[0]) =>
        describeError(error, errors.get(error.code).status),
      log,
    };
    const forms = createFormRoutes({
      routes,
      settings,
      outbound,
      webhooks,
      calls: () => calls,
      sendNow: createSendNow(sender),
    });
    const calls = createWebhookCalls({
      ...context,
      ...sender,
      ...collections,
      run: (path, work) => forms.run(path, work),
    });
    const tools = services['pdf-tools'];
    const { render } = services;
    if (render && !settings.chromium.areRoutesOff)
      addChromiumRoutes(forms, { render, tools, outbound, settings });
    if (tools && !settings.pdfEngines.areRoutesOff) addPdfEngineRoutes(forms, { tools, sandbox });
    if (tools && !settings.libreOffice.areRoutesOff)
      addLibreOfficeRoutes(forms, { tools, office: services.office });
    const hasLibreOffice = services.office?.isAvailable ?? false;
    mountSystemRoutes({ routes, publicRoutes, settings, administration, metrics, hasLibreOffice });
    return {
      service: forms satisfies FormRoutes,
      start: () => createAccount(settings.account, context),
      stop: () => calls.close(),
      accountData: [calls.accountData],
      filesInUse: calls.filesInUse,
    };
  },
});
