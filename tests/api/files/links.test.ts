import { describe, expect, setSystemTime, test } from 'bun:test';
import { onMongoAndS3 } from '../../support/service/service.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { pagesPdf } from '../../support/pdf/samples.ts';

const service = sharedService();

const pdf = Buffer.from(pagesPdf(1), 'latin1');
const upload = async (fields: object = {}) =>
  (await service().post('/v1/files', { file: pdf.toString('base64'), ...fields })).body;

/** Requests a URL, with an `Authorization` header if one is given. */
async function open(url: string, authorization?: string) {
  const response = await fetch(url, authorization === undefined ? {} : { headers: { authorization } });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isPdf = response.headers.get('content-type') === 'application/pdf';
  const error = isPdf ? undefined : JSON.parse(bytes.toString()).error;
  return { status: response.status, headers: response.headers, bytes, error };
}
const refused = ({ status, error }: Awaited<ReturnType<typeof open>>) => [status, error.code, error.message];

const EXPIRED = [
  404,
  'NOT_FOUND',
  'the link has expired; read the generation or the file again for a new link',
];
const FORGED = [
  403,
  'FORBIDDEN',
  'the signature of the link is missing or wrong; use the whole link as it was returned',
];
const DELETED = [404, 'NOT_FOUND', 'the file was deleted'];
const UNKNOWN = [404, 'NOT_FOUND', 'file not found'];

// On S3, the bucket serves links.
describe.skipIf(onMongoAndS3)('a link', () => {
  test('that has expired is 404, also after its file was deleted', async () => {
    const { id, url } = await upload();
    const expires = Number(new URL(url).searchParams.get('expires'));
    try {
      setSystemTime((expires + 1) * 1000);
      expect(refused(await open(url))).toEqual(EXPIRED);
      await service().request('DELETE', `/v1/files/${id}`);
      expect(refused(await open(url))).toEqual(EXPIRED);
    } finally {
      setSystemTime();
    }
  });

  test('to a deleted file or generation is 404', async () => {
    const { id, url } = await upload();
    await service().request('DELETE', `/v1/files/${id}`);
    expect(refused(await open(url))).toEqual(DELETED);
    const { body } = await service().post('/v1/generate', { html: 'x' });
    await service().request('DELETE', `/v1/generations/${body.id}`);
    expect(refused(await open(body.url))).toEqual(DELETED);
  });

  test('with a wrong or missing signature is 403, whether or not it has expired and the file exists', async () => {
    const { url } = await upload();
    for (const forged of [
      url.replace(/expires=\d+/, 'expires=99999999999'),
      url.replace(/expires=\d+/, 'expires=1'),
      url.replace(/signature=.{3}/, 'signature=AAA'),
      url.replace(/&signature=.*/, ''),
      url.replace(/\?.*/, ''),
      url.replace(/file_\w+/, 'file_000000000000000000000000'),
      url.replace(/file_\w+/, '..%2f..%2fsecret'),
    ])
      expect([forged, ...refused(await open(forged))]).toEqual([forged, ...FORGED]);
  });

  test('lets the browser keep the file for an hour, or until the file expires', async () => {
    const maxAge = async (url: string) =>
      Number(
        /^private, max-age=(\d+), immutable$/.exec((await open(url)).headers.get('cache-control') ?? '')?.[1],
      );
    expect(await maxAge((await upload()).url)).toBe(3_600);
    const { url, expires_at: expiresAt } = await upload({ expires_in: 60 });
    const before = Math.ceil(Date.parse(expiresAt) / 1000 - Date.now() / 1000);
    const seconds = await maxAge(url);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(before);
  });

  test('that is valid needs no key, and ignores another one', async () => {
    const { url } = await upload();
    for (const authorization of [undefined, 'Bearer nonsense', `Bearer ${await service().newKey()}`]) {
      const { status, bytes } = await open(url, authorization);
      expect([status, bytes.equals(pdf)]).toEqual([200, true]);
    }
  });
});

describe("the owner's API key", () => {
  const addresses = (id: string) => [
    `${service().url}/files/${id}`,
    `${service().url}/files/${id}?expires=1&signature=x`,
  ];

  test('opens an upload, a result and a generation without a valid link', async () => {
    const { id } = await upload();
    const merged = await service().post('/v1/pdf/merge', { pdfs: [id, id] });
    const made = await service().post('/v1/generate', { html: 'x' });
    const madeId = /file_\w{24}/.exec(made.body.url)?.[0] ?? '';
    for (const fileId of [id, merged.body.file_id, madeId])
      for (const url of addresses(fileId)) {
        const { status, headers, bytes } = await open(url, `Bearer ${service().key}`);
        expect([status, bytes.toString('latin1', 0, 5)]).toEqual([200, '%PDF-']);
        expect(headers.get('cache-control')).toBe('private, no-store');
        expect(Number(headers.get('ratelimit-limit'))).toBeGreaterThan(0);
      }
  });

  test.skipIf(onMongoAndS3)('opens a link that has expired', async () => {
    const { url } = await upload();
    try {
      setSystemTime(Number(new URL(url).searchParams.get('expires')) * 1000 + 1000);
      expect((await open(url, `Bearer ${service().key}`)).bytes.equals(pdf)).toBe(true);
    } finally {
      setSystemTime();
    }
  });

  test('is 404 for deleted, expired and unknown files', async () => {
    const { id } = await upload();
    await service().request('DELETE', `/v1/files/${id}`);
    const { id: shortLived, expires_at: expiresAt } = await upload({ expires_in: 60 });
    const made = await service().post('/v1/generate', { html: 'x', expires_in: 60 });
    const madeId = /file_\w{24}/.exec(made.body.url)?.[0] ?? '';
    const unknown = [id, 'file_000000000000000000000000', '..%2fplaten.sqlite', 'x'.repeat(5_000)];
    try {
      setSystemTime(Math.max(Date.parse(expiresAt), Date.parse(made.body.expires_at)) + 1);
      for (const fileId of [...unknown, shortLived, madeId])
        for (const url of addresses(fileId))
          expect(refused(await open(url, `Bearer ${service().key}`))).toEqual(UNKNOWN);
    } finally {
      setSystemTime();
    }
  });

  test("is 404 for another account's files, and 401 when it is invalid", async () => {
    const { id } = await upload();
    const made = await service().post('/v1/generate', { html: 'x' });
    const other = await service().newKey();
    for (const fileId of [id, /file_\w{24}/.exec(made.body.url)?.[0] ?? ''])
      for (const url of addresses(fileId)) {
        expect(refused(await open(url, `Bearer ${other}`))).toEqual(UNKNOWN);
        expect((await open(url, 'Bearer nonsense')).error.code).toBe('UNAUTHORIZED');
        expect((await open(url, 'Basic eDp5')).error.code).toBe('UNAUTHORIZED');
      }
  });
});
