import { expect } from 'bun:test';
import { pagesPdf } from '../pdf/samples.ts';
import { base64 } from '../pdf/pdf-operations.ts';
import type { ApiResponse, TestService } from '../service/service.ts';

export { base64 } from '../pdf/pdf-operations.ts';

/** A box that fits on the pages of the samples. */
export const boxOnPage = { x: 20, y: 20, width: 160, height: 60 };

/** Calls `POST /v1/pdf/sign`. */
export interface SignClient {
  post: (body: object) => Promise<ApiResponse>;
  /** Stamps a file and returns it. @throws {Error} if the service refuses, with its message. */
  sign: (pdf: string | Uint8Array, more?: object) => Promise<Buffer>;
  /** Expects a 400 and returns its message. */
  refusal: (body: object) => Promise<string>;
}

/** Creates a client for `POST /v1/pdf/sign` of a service. */
export function signClient(service: () => TestService): SignClient {
  const post = (body: object) => service().post('/v1/pdf/sign', body);
  return {
    post,
    async sign(pdf, more = {}) {
      const request = { pdf: base64(pdf), name: 'Ada Lovelace', ...boxOnPage, output: 'base64', ...more };
      const { status, body } = await post(request);
      if (status !== 200) throw new Error(`${status} ${body.error?.message}`);
      return Buffer.from(body.data, 'base64');
    },
    async refusal(body) {
      const answer = await post({ pdf: base64(pagesPdf(3)), name: 'Ada', ...boxOnPage, ...body });
      expect([answer.status, answer.body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
      return answer.body.error.message;
    },
  };
}
