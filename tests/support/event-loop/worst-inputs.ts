import { assetInputs } from './asset-inputs.ts';
import { certificateInputs } from './certificate-inputs.ts';
import { documentInputs } from './document-inputs.ts';
import { endpointInputs } from './endpoint-inputs.ts';
import { gotenbergInputs } from './gotenberg-inputs.ts';
import type { WorstInput } from './inputs.ts';
import { keyInputs } from './key-inputs.ts';
import { mcpInputs } from './mcp-inputs.ts';
import { multipartInputs } from './multipart-inputs.ts';
import { pdfInputs } from './pdf-inputs.ts';
import { templateTestInputs } from './template-test-inputs.ts';

const longQuery = `?${'a=1&'.repeat(3_900)}`;
const gets: WorstInput[] = [
  ['GET /v1/templates', '/v1/templates?limit=100'],
  ['GET /v1/batches', '/v1/batches?limit=100'],
  ['GET /v1/generations', '/v1/generations?limit=100'],
  ['GET /v1/marketplace', '/v1/marketplace?limit=100'],
  ['GET /v1/starter-templates', '/v1/starter-templates'],
  ['GET /v1/starter-templates/{slug}', '/v1/starter-templates/certificate'],
  ['GET /v1/integrations/auth/test', '/v1/integrations/auth/test'],
  ['GET /v1/integrations/triggers/new-generation', '/v1/integrations/triggers/new-generation?limit=100'],
  ['GET /v1/integrations/triggers/new-template', '/v1/integrations/triggers/new-template?limit=100'],
  ['GET /v1/usage', '/v1/usage'],
  ['GET /v1/files', '/v1/files?limit=100'],
  ['GET /v1/assets', '/v1/assets?limit=100'],
  ['GET /v1/certificates', '/v1/certificates?limit=100'],
  ['GET /v1/keys', '/v1/keys?limit=100'],
  ['GET /v1/events', '/v1/events?limit=100'],
  ['GET /v1/audit', '/v1/audit?limit=100'],
  ['GET /v1/audit/export', '/v1/audit/export?format=csv'],
  ['GET /v1/webhook-endpoints', '/v1/webhook-endpoints?limit=100'],
  ['GET /v1/webhooks/deliveries', '/v1/webhooks/deliveries?limit=100'],
].flatMap(([route = '', path = '']) => [
  { route, name: 'the longest list', path: () => path },
  { route, name: 'a query of 3,900 pairs', path: () => path.split('?')[0] + longQuery },
]);

/** The paths that the OpenAPI document does not describe, including that of the document itself. */
export const OPERATIONS: readonly string[] = [
  '/',
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/openapi.sdk.json',
  '/docs',
  '/docs/start.js',
  '/docs/platen.css',
  '/docs/swagger-ui.css',
  '/docs/swagger-ui-bundle.js',
  '/docs/guides/generate',
  '/docs/markdown/generate.md',
  '/llms.txt',
  '/studio/api/session',
];

const readEvent: WorstInput = {
  route: 'GET /v1/events/{id}',
  name: 'id of 15,000 characters',
  path: () => `/v1/events/${'x'.repeat(15_000)}`,
};

const operations: WorstInput[] = OPERATIONS.map((path) => ({
  route: `GET ${path}`,
  name: 'a query of 3,900 pairs',
  path: () => path + longQuery,
}));

const longReference = `?reference=${'%F0%9F%A7%BE'.repeat(200)}`;
const filters: WorstInput[] = ['/v1/generations', '/v1/files'].map((path) => ({
  route: `GET ${path}`,
  name: 'a reference of 200 characters',
  path: () => path + longReference,
}));

const noMatch = `search=${encodeURIComponent('\u{1f9fe}'.repeat(50))}`;
const searches: WorstInput[] = ['/v1/templates', '/v1/marketplace', '/v1/starter-templates'].map((path) => ({
  route: `GET ${path}`,
  name: 'a search without a match',
  path: () => `${path}?${noMatch}`,
}));

const byId: WorstInput[] = [
  {
    route: 'GET /v1/templates/{id}',
    name: 'html of 2 MB',
    path: ({ template }) => `/v1/templates/${template}`,
  },
  {
    route: 'GET /v1/templates/{id}/versions',
    name: 'the longest list',
    path: ({ template }) => `/v1/templates/${template}/versions?limit=100`,
  },
  {
    route: 'POST /v1/templates/{id}/versions/{version}/restore',
    name: 'html of 2 MB',
    path: ({ template }) => `/v1/templates/${template}/versions/1/restore`,
  },
  {
    route: 'POST /v1/templates/{id}/versions/{version}/promote',
    name: 'html of 2 MB, which is current',
    path: ({ template }) => `/v1/templates/${template}/versions/1/promote`,
  },
  {
    route: 'DELETE /v1/templates/{id}/versions/{version}',
    name: 'unknown',
    path: ({ template }) => `/v1/templates/${template}/versions/999999999`,
  },
  { route: 'DELETE /v1/templates/{id}', name: 'unknown', path: () => `/v1/templates/${'x'.repeat(15_000)}` },
  {
    route: 'GET /v1/generations/{id}',
    name: 'a PDF in base64',
    path: ({ generation }) => `/v1/generations/${generation}`,
  },
  {
    route: 'GET /v1/generations/{id}',
    name: 'a PDF in base64 and its receipt',
    path: ({ generation }) => `/v1/generations/${generation}?receipt=true`,
  },
  {
    route: 'GET /v1/generations/{id}/pages/{n}.png',
    name: 'the largest image of a page of text',
    path: ({ generation }) => `/v1/generations/${generation}/pages/1.png?width=4000`,
  },
  {
    route: 'GET /v1/generations/{id}/proof',
    name: 'unknown',
    path: () => `/v1/generations/${'x'.repeat(15_000)}/proof`,
  },
  {
    route: 'DELETE /v1/generations/{id}',
    name: 'unknown',
    path: () => `/v1/generations/${'x'.repeat(15_000)}`,
  },
  {
    route: 'POST /v1/batches/{id}/cancel',
    name: 'of 100 items',
    path: ({ batch }) => `/v1/batches/${batch}/cancel`,
  },
  { route: 'GET /v1/files/{id}', name: 'a file', path: ({ file }) => `/v1/files/${file}` },
  {
    route: 'GET /v1/files/{id}/content',
    name: 'a file of 2,000 pages',
    path: ({ file }) => `/v1/files/${file}/content`,
  },
  {
    route: 'GET /v1/files/{id}/pages/{n}.png',
    name: 'the largest image of a file of 2,000 pages',
    path: ({ file }) => `/v1/files/${file}/pages/2000.png?width=4000`,
  },
  {
    route: 'GET /v1/files/{id}/proof',
    name: 'unknown',
    path: () => `/v1/files/${'x'.repeat(15_000)}/proof`,
  },
  { route: 'DELETE /v1/files/{id}', name: 'unknown', path: () => `/v1/files/${'x'.repeat(15_000)}` },
  { route: 'GET /v1/assets/{name}', name: 'unknown', path: () => `/v1/assets/${'x'.repeat(15_000)}` },
  { route: 'DELETE /v1/assets/{name}', name: 'unknown', path: () => `/v1/assets/${'x'.repeat(15_000)}` },
  {
    route: 'GET /v1/certificates/{id}',
    name: 'unknown',
    path: () => `/v1/certificates/${'x'.repeat(15_000)}`,
  },
  {
    route: 'DELETE /v1/certificates/{id}',
    name: 'unknown',
    path: () => `/v1/certificates/${'x'.repeat(15_000)}`,
  },
  { route: 'GET /v1/batches/{id}', name: 'of 100 items', path: ({ batch }) => `/v1/batches/${batch}` },
  {
    route: 'GET /v1/marketplace/{id}',
    name: 'html of 2 MB',
    path: ({ publicTemplate }) => `/v1/marketplace/${publicTemplate}`,
  },
  {
    route: 'POST /v1/marketplace/{id}/clone',
    name: 'html of 2 MB',
    path: ({ publicTemplate }) => `/v1/marketplace/${publicTemplate}/clone`,
  },
  {
    route: 'POST /v1/marketplace/{id}/publish',
    name: 'html of 2 MB',
    path: ({ publicTemplate }) => `/v1/marketplace/${publicTemplate}/publish`,
  },
  {
    route: 'POST /v1/marketplace/{id}/unpublish',
    name: 'html of 2 MB',
    path: ({ template }) => `/v1/marketplace/${template}/unpublish`,
  },
  {
    route: 'POST /v1/starter-templates/{slug}/clone',
    name: 'a starter',
    path: () => '/v1/starter-templates/certificate/clone',
  },
  {
    route: 'POST /v1/webhooks/deliveries/{id}/retry',
    name: 'unknown',
    path: () => `/v1/webhooks/deliveries/${'x'.repeat(15_000)}/retry`,
  },
];

/** Whether a request needs no stored records. */
export const storesNothing = ({ body, path }: WorstInput) => (body?.length ?? 0) + (path?.length ?? 0) === 0;

/** The worst known requests of every route. */
export const worstInputs: readonly WorstInput[] = [
  ...pdfInputs,
  ...multipartInputs,
  ...operations,
  ...assetInputs,
  ...certificateInputs,
  ...endpointInputs,
  ...keyInputs,
  ...gets,
  ...filters,
  readEvent,
  ...searches,
  ...byId,
  ...documentInputs,
  ...gotenbergInputs,
  ...mcpInputs,
  ...templateTestInputs,
];
