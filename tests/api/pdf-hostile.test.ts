import { describe, expect, test } from 'bun:test';
import { base64 } from '../support/pdf-operations.ts';
import { sharedService } from '../support/shared-service.ts';
import { isThorough } from '../support/suite.ts';
import { hostileNames, hostilePdfs, pagesPdf } from './pdf-samples.ts';

const service = sharedService();
const post = (operation: string, body: object) => service().post(`/v1/pdf/${operation}`, body);
const samplePdf = base64(pagesPdf(1));

describe('a hostile file gets 200 or 400, and the next call works', () => {
  test.each(hostileNames({ slow: isThorough }))(
    '%s',
    async (name) => {
      const pdf = base64(hostilePdfs[name]());
      for (const [operation, body] of [
        ['info', { pdf }],
        ['merge', { pdfs: [pdf, samplePdf] }],
        ['split', { pdf }],
        ['pages', { pdf, pages: '1r90, 1, 1-' }],
        ['unlock', { pdf, password: 'open' }],
        ['compress', { pdf }],
        ['images', { pdf, dpi: 10 }],
        ['text', { pdf, format: 'json' }],
        ['text', { pdf, format: 'markdown' }],
      ] as const) {
        const { status } = await post(operation, body);
        expect([200, 400]).toContain(status);
        expect((await post('info', { pdf: samplePdf })).status).toBe(200);
      }
    },
    60_000,
  );
});
