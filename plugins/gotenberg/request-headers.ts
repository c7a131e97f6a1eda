import { Type } from '../../src/plugin.ts';
import type { Settings } from './settings.ts';

const text = (description: string) => Type.Optional(Type.String({ description }));

/** Describes the headers of requests with a form, for the API documentation. */
export function requestHeadersOf({ traceHeader, webhook }: Pick<Settings, 'traceHeader' | 'webhook'>) {
  return Type.Object({
    [traceHeader]: text('Names the request in the response, the log, downloads and webhooks.'),
    'Gotenberg-Output-Filename': text('The name of the result, without an extension.'),
    ...(!webhook.isOff && {
      'Gotenberg-Webhook-Url': text('The URL that gets the result. The response is then 204.'),
      'Gotenberg-Webhook-Method': text('POST, PUT or PATCH; POST when absent.'),
      'Gotenberg-Webhook-Error-Url': text(
        'The URL that gets a failure. Without it, Gotenberg-Webhook-Events-Url is required.',
      ),
      'Gotenberg-Webhook-Error-Method': text('POST, PUT or PATCH; POST when absent.'),
      'Gotenberg-Webhook-Events-Url': text('The URL that gets webhook.success or webhook.error.'),
      'Gotenberg-Webhook-Extra-Http-Headers': text(
        'A JSON object of headers of the requests to the URL of the result and to that of failures.',
      ),
    }),
  });
}
