import { expect } from 'bun:test';
import type { TestService } from './service.ts';
import { base64 } from './stamping.ts';

/** Adds fields to PDFs of a service as a caller does, and expects what a caller expects. */
export function adding(service: () => TestService) {
  const post = (pdf: string | Uint8Array, fields: unknown, more: object = {}) =>
    service().post('/v1/pdf/forms/add-fields', { pdf: base64(pdf), fields, output: 'base64', ...more });
  return {
    post,
    /** Adds fields and gives the result. @throws {Error} with what the service says. */
    add: async (pdf: string | Uint8Array, ...fields: object[]): Promise<Buffer> => {
      const { status, body } = await post(pdf, fields);
      if (status !== 200) throw new Error(`${status} ${body.error?.message}`);
      return Buffer.from(body.data, 'base64');
    },
    /** Expects 400 and gives its message. */
    refusal: async (pdf: string | Uint8Array, ...fields: object[]): Promise<string> => {
      const { status, body } = await post(pdf, fields);
      expect([status, body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
      return body.error.message;
    },
  };
}
