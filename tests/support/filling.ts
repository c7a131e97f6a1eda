import { expect } from 'bun:test';
import type { TestService } from './service.ts';

/** A field as `list-fields` has it. */
// oxlint-disable-next-line typescript/no-explicit-any -- answers are looked at as a caller would
type Listed = Record<string, any>;

/** Fills forms of a service as a caller does, and expects what a caller expects. */
export function filling(service: () => TestService) {
  const sent = (pdf: string | Uint8Array) =>
    Buffer.from(pdf as string, typeof pdf === 'string' ? 'latin1' : undefined).toString('base64');
  const post = (pdf: string | Uint8Array, fields: unknown, more: object = {}) =>
    service().post('/v1/pdf/forms/fill', { pdf: sent(pdf), fields, output: 'base64', ...more });
  const asFields = (values: Readonly<Record<string, unknown>>) =>
    Object.entries(values).map(([name, value]) => ({ name, value }));
  const list = async (pdf: string | Uint8Array): Promise<Listed[]> => {
    const { status, body } = await service().post('/v1/pdf/forms/list-fields', { pdf: sent(pdf) });
    expect([status, body.error]).toEqual([200, undefined]);
    expect(body.total).toBe(body.fields.length);
    return body.fields;
  };
  return {
    post,
    list,
    /** Fills by name, and gives the file. */
    fill: async (
      pdf: string | Uint8Array,
      values: Readonly<Record<string, unknown>>,
      more: object = {},
    ): Promise<Buffer> => {
      const { status, body } = await post(pdf, asFields(values), more);
      expect([status, body.error]).toEqual([200, undefined]);
      const filled = Buffer.from(body.data, 'base64');
      expect(body.file_size).toBe(filled.length);
      return filled;
    },
    /** The message of a refusal, with the path before it. */
    refusal: async (
      pdf: string | Uint8Array,
      values: Readonly<Record<string, unknown>>,
      more: object = {},
    ): Promise<string> => {
      const { status, body } = await post(pdf, asFields(values), more);
      expect([status, body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
      return body.error.message;
    },
    /** Values by name. */
    values: async (pdf: string | Uint8Array): Promise<Record<string, unknown>> => {
      return Object.fromEntries((await list(pdf)).map(({ name, value }) => [name, value]));
    },
  };
}
