import { expect } from 'bun:test';
import { base64 } from '../signatures/sign-client.ts';
import type { TestService } from '../service/service.ts';

/** A field of a `list-fields` response. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests inspect arbitrary responses
type Listed = Record<string, any>;

/** Creates a client for `list-fields` and `fill` of a service. */
export function formsClient(service: () => TestService) {
  const post = (pdf: string | Uint8Array, fields: unknown, more: object = {}) =>
    service().post('/v1/pdf/forms/fill', { pdf: base64(pdf), fields, output: 'base64', ...more });
  const asFields = (values: Readonly<Record<string, unknown>>) =>
    Object.entries(values).map(([name, value]) => ({ name, value }));
  const list = async (pdf: string | Uint8Array): Promise<Listed[]> => {
    const { status, body } = await service().post('/v1/pdf/forms/list-fields', { pdf: base64(pdf) });
    expect([status, body.error]).toEqual([200, undefined]);
    expect(body.total).toBe(body.fields.length);
    return body.fields;
  };
  return {
    post,
    list,
    /** Fills fields by name and returns the file. */
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
    /** Expects a 400 and returns its message, which starts with the path. */
    refusal: async (
      pdf: string | Uint8Array,
      values: Readonly<Record<string, unknown>>,
      more: object = {},
    ): Promise<string> => {
      const { status, body } = await post(pdf, asFields(values), more);
      expect([status, body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
      return body.error.message;
    },
    /** Returns the values by field name. */
    values: async (pdf: string | Uint8Array): Promise<Record<string, unknown>> => {
      return Object.fromEntries((await list(pdf)).map(({ name, value }) => [name, value]));
    },
  };
}

/** Creates a client for `POST /v1/pdf/forms/add-fields` of a service. */
export function addFieldsClient(service: () => TestService) {
  const post = (pdf: string | Uint8Array, fields: unknown, more: object = {}) =>
    service().post('/v1/pdf/forms/add-fields', { pdf: base64(pdf), fields, output: 'base64', ...more });
  return {
    post,
    /** Adds fields and returns the file. @throws {Error} if the service refuses, with its message. */
    add: async (pdf: string | Uint8Array, ...fields: object[]): Promise<Buffer> => {
      const { status, body } = await post(pdf, fields);
      if (status !== 200) throw new Error(`${status} ${body.error?.message}`);
      return Buffer.from(body.data, 'base64');
    },
    /** Expects a 400 and returns its message. */
    refusal: async (pdf: string | Uint8Array, ...fields: object[]): Promise<string> => {
      const { status, body } = await post(pdf, fields);
      expect([status, body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
      return body.error.message;
    },
  };
}
