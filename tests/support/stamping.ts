import { expect } from 'bun:test';
import { pagesPdf } from '../api/pdf-samples.ts';
import type { Answer, TestService } from './service.ts';

/** A box that lies inside the pages of the samples. */
export const fitting = { x: 20, y: 20, width: 160, height: 60 };

/** A file in base64; text is taken for Latin-1. */
export function base64(pdf: string | Uint8Array): string {
  return (typeof pdf === 'string' ? Buffer.from(pdf, 'latin1') : Buffer.from(pdf)).toString('base64');
}

/** Ways to call `POST /v1/pdf/sign`. */
export interface Stamping {
  post: (body: object) => Promise<Answer>;
  /** Stamps a file and gives the result. @throws {Error} with what the service says. */
  sign: (pdf: string | Uint8Array, more?: object) => Promise<Buffer>;
  /** Expects 400 and gives its message. */
  refusal: (body: object) => Promise<string>;
}

/** Makes the ways to call `POST /v1/pdf/sign` of a service. */
export function stamping(service: () => TestService): Stamping {
  const post = (body: object) => service().post('/v1/pdf/sign', body);
  return {
    post,
    async sign(pdf, more = {}) {
      const request = { pdf: base64(pdf), name: 'Ada Lovelace', ...fitting, output: 'base64', ...more };
      const { status, body } = await post(request);
      if (status !== 200) throw new Error(`${status} ${body.error?.message}`);
      return Buffer.from(body.data, 'base64');
    },
    async refusal(body) {
      const answer = await post({ pdf: base64(pagesPdf(3)), name: 'Ada', ...fitting, ...body });
      expect([answer.status, answer.body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
      return answer.body.error.message;
    },
  };
}
