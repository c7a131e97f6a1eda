import { describe, expect, test } from 'bun:test';
import { samplePng } from '../../../plugins/assets/examples.ts';
import { openTypeFont, renameFont, trueTypeFont, woff2Of } from '../../support/fonts/fonts.ts';
import { formOf, postForm } from '../../support/service/multipart.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { onMongoAndS3, TestService } from '../../support/service/service.ts';

const service = sharedService();
const png = Buffer.from(samplePng, 'base64');
const base64 = (content: string | Uint8Array) => Buffer.from(content).toString('base64');
const upload = (body: object, key?: string) => service().post('/v1/assets', body, key);
const remove = (name: string, key?: string) =>
  service().request('DELETE', `/v1/assets/${name}`, key === undefined ? {} : { key });

describe('POST /v1/assets', () => {
  test('stores an upload as multipart or base64, and serves its content', async () => {
    const form = await postForm(service(), '/v1/assets', formOf([['file', png, 'logo.png']]));
    const json = await upload({ name: 'logo.png', data: samplePng });
    for (const { status, body } of [form, json]) {
      expect(status).toBe(201);
      expect(body).toEqual({
        name: 'logo.png',
        type: 'image/png',
        file_size: png.length,
        font: null,
        created_at: expect.stringMatching(/^20\d\d-.*Z$/),
        updated_at: expect.stringMatching(/^20\d\d-.*Z$/),
        url: expect.stringContaining('asset_png_'),
      });
    }
    const response = await fetch(json.body.url);
    expect(response.headers.get('content-type')).toContain('image/png');
    expect(response.headers.get('content-disposition')).toContain('filename="logo.png"');
    // The link without its signature works only with a key of the account.
    if (!onMongoAndS3) {
      const fetchAs = (key: string) =>
        fetch(json.body.url.split('?')[0], { headers: { authorization: `Bearer ${key}` } });
      expect((await fetchAs(service().key)).status).toBe(200);
      expect((await fetchAs(await service().newKey())).status).toBe(404);
    }
    expect(Buffer.compare(await response.bytes(), png)).toBe(0);
    // The first content was replaced.
    expect((await fetch(form.body.url)).status).toBe(404);
  });

  test('names a multipart upload by its part `name`', async () => {
    const parts = formOf([
      ['file', png, 'Unbenannt 1.png'],
      ['name', 'brand/logo.png'],
    ]);
    const refused = await postForm(service(), '/v1/assets', parts);
    expect(refused.body.error.details[0].path).toBe('name');
    const named = formOf([
      ['file', png, 'x.png'],
      ['name', 'brand-logo.png'],
    ]);
    expect((await postForm(service(), '/v1/assets', named)).body.name).toBe('brand-logo.png');
  });

  test('reads family, weight and style of a font, or takes them from the request', async () => {
    const font = renameFont(trueTypeFont, 'Acme Sans');
    const { body } = await upload({ name: 'a.ttf', data: base64(font) });
    expect([body.type, body.font]).toEqual([
      'font/ttf',
      { family: 'Acme Sans', weight: '400', style: 'normal' },
    ]);
    const packed = await upload({
      name: 'b.woff2',
      data: base64(woff2Of(font)),
      family: 'Other',
      weight: 700,
      style: 'italic',
    });
    expect([packed.body.type, packed.body.font]).toEqual([
      'font/woff2',
      { family: 'Other', weight: '700', style: 'italic' },
    ]);
    const form = formOf([
      ['file', openTypeFont, 'c.otf'],
      ['weight', '100 900'],
    ]);
    expect((await postForm(service(), '/v1/assets', form)).body.font.weight).toBe('100 900');
  });

  test.each<[string, object, string]>([
    ['no content', { name: 'a.png' }, 'file'],
    ['two contents', { name: 'a.png', data: samplePng, file: samplePng }, 'file'],
    ['no name', { data: samplePng }, 'name'],
    ['an empty name', { name: '', data: samplePng }, 'name'],
    ['a path', { name: 'a/b.png', data: samplePng }, 'name'],
    ['a Windows path', { name: 'a\\b.png', data: samplePng }, 'name'],
    ['a parent folder', { name: '..', data: samplePng }, 'name'],
    ['a control character', { name: 'a\nb.png', data: samplePng }, 'name'],
    ['a query', { name: 'a.png?x', data: samplePng }, 'name'],
    ['text that is not base64', { name: 'a.png', data: '<svg>' }, 'data'],
    ['an empty file', { name: 'a.png', data: '' }, 'data'],
    ['a PDF', { name: 'a.pdf', data: base64('%PDF-1.4') }, 'data'],
    ['a text', { name: 'a.txt', data: base64('hello') }, 'data'],
    ['HTML with the name of an image', { name: 'a.svg', data: base64('<html><svg></svg>') }, 'data'],
    ['a PNG with the name of a JPEG', { name: 'a.jpg', data: samplePng }, 'name'],
    ['a style sheet that is binary', { name: 'a.css', data: base64(Buffer.from([0, 1, 2])) }, 'data'],
    ['a truncated font', { name: 'a.ttf', data: base64(trueTypeFont.subarray(0, 900)) }, 'data'],
    ['more than 5 MB', { name: 'a.css', data: base64('a'.repeat(5_000_001)) }, 'data'],
    ['a family for an image', { name: 'a.png', data: samplePng, family: 'x' }, 'family'],
    ['a weight of 1001', { name: 'a.otf', data: base64(openTypeFont), weight: 1001 }, 'weight'],
    ['a weight that is a word', { name: 'a.otf', data: base64(openTypeFont), weight: 'bold' }, 'weight'],
    ['an unknown style', { name: 'a.otf', data: base64(openTypeFont), style: 'tall' }, 'style'],
  ])('rejects %s and names the field', async (_, body, path) => {
    const { status, body: answer } = await upload(body);
    expect([status, answer.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.error.details[0].path).toBe(path);
  });

  test.each([
    ['a.gif', Buffer.from('GIF89a\u0001\u0000\u0001\u0000', 'latin1'), 'image/gif'],
    ['a.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'image/jpeg'],
    ['a.webp', Buffer.from('RIFF\0\0\0\0WEBPVP8 '), 'image/webp'],
    ['a.avif', Buffer.from('\0\0\0\x1cftypavif\0\0\0\0'), 'image/avif'],
    [
      'a.svg',
      Buffer.from('<?xml version="1.0"?><!-- c --><!DOCTYPE svg><svg xmlns="http://www.w3.org/2000/svg"/>'),
      'image/svg+xml',
    ],
    ['a.css', Buffer.from('p { color: red }'), 'text/css'],
    ['no extension', png, 'image/png'],
    ['Grüße 1.png', png, 'image/png'],
  ])('stores %s with its type', async (name, content, type) => {
    const { status, body } = await upload({ name, data: base64(content) });
    expect([status, body.type]).toEqual([201, type]);
    expect((await service().get(`/v1/assets/${encodeURIComponent(name)}`)).body).toMatchObject({
      name,
      type,
    });
    expect((await fetch(body.url)).headers.get('content-type')).toContain(type);
  });
});

describe('a list of assets', () => {
  test('is in pages, newest first', async () => {
    const key = await service().newKey();
    for (const name of ['1.png', '2.png', '3.png']) await upload({ name, data: samplePng }, key);
    const names = ({ body }: { body: { data: { name: string }[] } }) => body.data.map(({ name }) => name);
    const first = await service().get('/v1/assets?limit=2', key);
    expect([names(first), first.body.has_more]).toEqual([['3.png', '2.png'], true]);
    const second = await service().get('/v1/assets?limit=2&offset=2', key);
    expect([names(second), second.body.has_more]).toEqual([['1.png'], false]);
  });

  test('does not contain deleted assets, whose content is deleted too', async () => {
    const { body } = await upload({ name: 'gone.png', data: samplePng });
    expect((await remove('gone.png')).status).toBe(204);
    expect((await remove('gone.png')).body.error.code).toBe('NOT_FOUND');
    expect((await service().get('/v1/assets/gone.png')).status).toBe(404);
    expect((await fetch(body.url)).status).toBe(404);
  });

  test('does not contain the assets of other accounts', async () => {
    await upload({ name: 'mine.png', data: samplePng });
    const key = await service().newKey();
    expect((await service().get('/v1/assets', key)).body).toEqual({ data: [], has_more: false });
    expect((await service().get('/v1/assets/mine.png', key)).status).toBe(404);
    expect((await remove('mine.png', key)).status).toBe(404);
    expect((await upload({ name: 'mine.png', data: base64('GIF89a') }, key)).status).toBe(400);
    await upload({ name: 'mine.png', data: samplePng }, key);
    expect((await remove('mine.png', key)).status).toBe(204);
    expect((await service().get('/v1/assets/mine.png')).status).toBe(200);
  });
});

test('concurrent uploads do not exceed the limit for all assets of an account', async () => {
  await using own = await TestService.start({ config: { plugins: { assets: { maxAccountMegabytes: 1 } } } });
  const data = base64('a'.repeat(400_000));
  const names = ['1.css', '2.css', '3.css', '4.css'];
  const answers = await Promise.all(names.map((name) => own.post('/v1/assets', { name, data })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
  const refused = answers.find(({ status }) => status === 400);
  expect(refused?.body.error.message).toContain('the limit is 1000000');
  const [{ name }] = (await own.get('/v1/assets')).body.data;
  // Replacing an asset does not count it twice.
  expect((await own.post('/v1/assets', { name, data })).status).toBe(201);
});

test('concurrent uploads of one name leave one asset', async () => {
  const key = await service().newKey();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => upload({ name: 'same.png', data: samplePng }, key)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
  const { body } = await service().get('/v1/assets', key);
  expect(body.data.length).toBe(1);
  expect(Buffer.compare(await service().download(body.data[0].url), png)).toBe(0);
});
