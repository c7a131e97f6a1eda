import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { docx, paragraph } from '../../support/office/documents.ts';
import { formOf, postForm } from '../../support/service/multipart.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const letter = docx(paragraph('Dear reader'));
const getService = sharedService({ config: { plugins: { office: { path: '/nowhere/soffice' } } } });

describe('POST /v1/files without LibreOffice', () => {
  test.each([
    ['a.docx', letter.subarray(0, letter.length / 2), 'file: is truncated or damaged: its zip archive'],
    ['a.zip', zipSync({ 'a.txt': strToU8('a') }), 'file: is a zip archive, but not an office document'],
    ['a.docx', strToU8('hello'), 'file: is damaged or of another type: it is not a docx file'],
    ['a.bin', new Uint8Array(100), 'file: is not a PDF'],
    ['a.html', strToU8('<html>'), 'file: is not a PDF but HTML'],
    ['a.pdf', strToU8('%PDF-1.7\n'), 'file: '],
  ])('says why it does not store %s: %#', async (name, file, message) => {
    const form = formOf([['file', file, name]]);
    const { status, body } = await postForm(getService(), '/v1/files', form);
    expect(status).toBe(400);
    expect(body.error.message).toStartWith(message);
    expect(body.error.message).not.toContain('PDF already');
  });
});

describe('POST /v1/pdf/convert without LibreOffice', () => {
  test('the routes answer 501 with the way to install it', async () => {
    const answer = await getService().post('/v1/pdf/convert', {
      file: Buffer.from(letter).toString('base64'),
    });
    expect(answer).toMatchObject({ status: 501, body: { error: { code: 'NOT_CONFIGURED' } } });
    expect(answer.body.error.message).toContain('WITH_OFFICE=1 npm start');
    const steps = [{ do: 'info' }];
    const pipeline = await getService().post('/v1/pdf/pipeline', {
      file: Buffer.from(letter).toString('base64'),
      steps,
    });
    expect(pipeline.status).toBe(501);
  });
});

describe('POST /v1/pdf/convert with a LibreOffice that does not start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-broken-office-'));
  for (const name of ['soffice', 'soffice.bin'])
    writeFileSync(join(folder, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  afterAll(() => rmSync(folder, { recursive: true }));
  const getBroken = sharedService({ config: { plugins: { office: { path: join(folder, 'soffice') } } } });

  test('conversions are unavailable', async () => {
    const answer = await getBroken().post('/v1/pdf/convert', {
      file: Buffer.from(letter).toString('base64'),
    });
    expect(answer).toMatchObject({
      status: 503,
      body: { error: { code: 'UNAVAILABLE', message: 'LibreOffice did not start' } },
    });
  });
});
