/**
 * The client of Platen, a self-hosted PDF service.
 * @module
 */
export type { CallOptions, RouteInput } from './connection.ts';
export type { Download } from './download.ts';
export { PlatenError } from './errors.ts';
export { Platen, type Pdf } from './platen.ts';
export type { PlatenSettings } from './settings.ts';
export type * from './types.gen.ts';
export type { BulkItems, FileContent } from './upload.ts';
export { verifyWebhook, type WebhookHeaders } from './webhooks.ts';
