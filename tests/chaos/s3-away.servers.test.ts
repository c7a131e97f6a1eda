import { afterAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { ownS3Server, settingsOf } from '../support/service/s3-server.ts';
import { platen } from '../support/service/process.ts';
import { TestService } from '../support/service/service.ts';

const server = await ownS3Server();
afterAll(() => server?.dispose());

if (server) {
  server.makeBucket('pdfs');
  const env = { ...settingsOf(server), S3_BUCKET: 'pdfs' };
  const document = { html: '<p>kept in S3</p>' };

  test('a PDF is stored only in the bucket, and its link downloads it from there', async () => {
    await using service = await TestService.start({ env });
    const { status, body } = await service.post('/v1/generate', document);
    expect(status).toBe(200);
    expect(new URL(body.url).origin).toBe(server.endpoint);
    const pdf = await service.download(body.url);
    expect(pdf.length).toBe(body.file_size);
    expect(Buffer.from(pdf.subarray(0, 5)).toString()).toBe('%PDF-');
    expect(readdirSync(service.dataDir)).not.toContain('files');
    const again = await service.get(`/v1/generations/${body.id}`);
    expect(await service.download(again.body.url)).toEqual(pdf);
  });

  test('an outage of S3 gives 503 with Retry-After, /readyz names S3, and the service recovers', async () => {
    await using service = await TestService.start({ env });
    await server.stop();
    const away = await service.post('/v1/generate', document);
    expect(away.status).toBe(503);
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(away.body.error.code).toBe('UNAVAILABLE');
    expect(JSON.stringify(away.body)).not.toContain(server.endpoint);
    const [failed] = (await service.get('/v1/generations?status=failed')).body.data;
    const { body: recorded } = await service.get(`/v1/generations/${failed.id}`);
    expect(recorded.error).toBe('STORAGE_ERROR: the file store cannot be reached');
    const unready = await service.get('/readyz');
    expect(unready.status).toBe(503);
    expect(unready.body.parts).toMatchObject({ store: 'ok', files: expect.not.stringMatching(/^ok$/) });

    await server.restart();
    expect((await service.post('/v1/generate', document)).status).toBe(200);
    expect((await service.get('/readyz')).status).toBe(200);
  });

  test('a missing bucket stops the service at startup with one sentence', async () => {
    await using service = await TestService.start({ env });
    const { code, stdout, stderr } = await platen(['serve'], {
      ...env,
      S3_BUCKET: 'absent',
      PORT: '0',
      DATA_DIR: service.dataDir,
    });
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr.trim()).toMatch(/^platen: S3_BUCKET: the bucket absent does not exist at [^\n]*$/);
    expect(stderr).not.toContain(server.secretAccessKey);
  });
}
