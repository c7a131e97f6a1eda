import { expect } from 'bun:test';
import type { TestService } from './service.ts';

/** Returns the PDF of a document, which the service must print. */
export async function printOn(service: TestService, html: string, options: object = {}): Promise<Buffer> {
  const { status, body } = await service.post('/v1/generate', { html, options, output: 'base64' });
  expect([status, body.error]).toEqual([200, undefined]);
  return Buffer.from(body.data, 'base64');
}
