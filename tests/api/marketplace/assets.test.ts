import { beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { LogSync } from '../../../src/store/log-sync.ts';
import { renameFont, trueTypeFont } from '../../support/fonts/fonts.ts';
import { onePixelPng } from '../../support/pdf/one-pixel-png.ts';
import { describeWithPdfTools, pdfFonts } from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { onMongoAndS3, TestService } from '../../support/service/service.ts';

const service = sharedService();
const base64 = (content: string | Uint8Array) => Buffer.from(content).toString('base64');
const pixel = (grey: number) => base64(onePixelPng(grey, grey, grey));
const strict = { options: { strict: true } };

let ann = '';
let bob = '';
beforeEach(async () => {
  ann = await service().newKey();
  bob = await service().newKey();
});

async function upload(key: string, name: string, data: string, fields: object = {}): Promise<void> {
  const { status, body } = await service().post('/v1/assets', { name, data, ...fields }, key);
  if (status !== 201) throw new Error(JSON.stringify(body));
}
async function create(html: string, fields: object = {}): Promise<string> {
  const { status, body } = await service().post(
    '/v1/templates',
    { name: 'T', html_content: html, ...fields },
    ann,
  );
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.id;
}
const act = (id: string, action: string, key: string) =>
  service().request('POST', `/v1/marketplace/${id}/${action}`, { key });

/** Returns the content of an asset in base64; `undefined` when the account has no such asset. */
async function read(key: string, name: string): Promise<string | undefined> {
  const { status, body } = await service().get(`/v1/assets/${encodeURIComponent(name)}`, key);
  return status === 200 ? base64(await service().download(body.url)) : undefined;
}
async function names(key: string): Promise<string[]> {
  const { data } = (await service().get('/v1/assets', key)).body;
  return data.map(({ name }: { name: string }) => name).toSorted();
}
const htmlOf = async (id: string, key: string): Promise<string> =>
  (await service().get(`/v1/templates/${id}`, key)).body.html_content;

describe('publishing', () => {
  test.if(!onMongoAndS3)(
    'keeps the copy of an asset whose record is stored although the disk failed',
    async () => {
      await upload(ann, 'a.png', pixel(1));
      let failed = 0;
      for (let failing = 1; failing <= 4; failing += 1) {
        const id = await create('<img src="asset:a.png">');
        let syncs = 0;
        const sync = spyOn(LogSync.prototype, 'sync').mockImplementation(async () => {
          syncs += 1;
          if (syncs === failing) throw new Error('the disk failed');
        });
        const { status } = await act(id, 'publish', ann);
        sync.mockRestore();
        if (status !== 200) failed += 1;
        expect((await act(id, 'publish', ann)).status).toBe(200);
        const key = await service().newKey();
        expect((await act(id, 'clone', key)).status).toBe(201);
        expect(await read(key, 'a.png')).toBe(pixel(1));
      }
      expect(failed).toBeGreaterThan(1);
    },
  );

  test('copies the assets that the template uses, and no others', async () => {
    const used = ['attribute.png', 'My logo.png', 'quoted one.png', 'style.png', 'sheet.png', 'partial.png'];
    const more = ['header.png', 'footer.png', 'sample.png', 'imported.css', 'brand.css'];
    for (const name of [...used, 'header.png', 'footer.png', 'sample.png', 'unused.png'])
      await upload(ann, name, pixel(1));
    await upload(ann, 'brand.css', base64('@import "imported.css"; p { background: url(sheet.png) }'));
    await upload(ann, 'imported.css', base64('b { background: url("asset:sheet.png") }'));
    await create('<img src="asset:partial.png">', { name: 'logo', partial: true });
    const id = await create(
      `<link rel="stylesheet" href="asset:brand.css"><img src=asset:attribute.png>{{> logo}}
      <img src="{{asset "My logo.png"}}"><img src='asset:quoted one.png'>
      <p style="background: url(&quot;asset:style.png#x&quot;)">asset: text</p>`,
      {
        options: { header: '<img src="asset:header.png">', footer: '{{asset "footer.png"}}' },
        sample_data: { a: [{ b: 'asset:sample.png' }], n: 1 },
      },
    );
    const { status, body } = await act(id, 'publish', ann);
    expect([status, body]).toEqual([
      200,
      { id, name: 'T', is_public: true, assets: [...used, ...more].toSorted() },
    ]);
    const { status: cloned, body: clone } = await act(id, 'clone', bob);
    expect([cloned, clone.assets]).toEqual([201, body.assets]);
    expect(await names(bob)).toEqual(body.assets);
    const document = {
      template: clone.id,
      options: { strict: true, header: '<img src="asset:header.png">' },
    };
    expect((await service().post('/v1/generate', document, bob)).status).toBe(200);
  });

  test('names the references that clones cannot resolve', async () => {
    await upload(ann, 'logo.png', pixel(1));
    const id = await create(
      '<img src="asset:{{name}}.png"><img src="{{asset name}}"><img src="asset:gone.png">',
    );
    const { body } = await act(id, 'publish', ann);
    expect(body.assets).toBeUndefined();
    expect(body.warnings).toEqual([
      { code: 'ASSET_DYNAMIC', path: 'asset name', message: expect.stringContaining('asset name') },
      { code: 'ASSET_DYNAMIC', path: 'asset:{{name}}.png', message: expect.stringContaining('{{name}}') },
      { code: 'ASSET_MISSING', path: 'gone.png', message: expect.stringContaining('gone.png') },
    ]);
    expect((await act(id, 'clone', bob)).body.assets).toBeUndefined();
    expect(await names(bob)).toEqual([]);
  });

  test('again updates the copies; until then clones receive the earlier ones', async () => {
    await upload(ann, 'logo.png', pixel(1));
    await upload(ann, 'private.png', pixel(7));
    const id = await create('<img src="asset:logo.png">');
    await act(id, 'publish', ann);
    await upload(ann, 'logo.png', pixel(2));
    const html_content = '<img src="asset:logo.png"><img src="asset:private.png">';
    await service().request('PUT', `/v1/templates/${id}`, { key: ann, body: { html_content } });
    expect((await act(id, 'clone', bob)).body.assets).toEqual(['logo.png']);
    expect(await read(bob, 'logo.png')).toBe(pixel(1));
    expect((await act(id, 'publish', ann)).body.assets).toEqual(['logo.png', 'private.png']);
    const carol = await service().newKey();
    await act(id, 'clone', carol);
    expect([await read(carol, 'logo.png'), await read(carol, 'private.png')]).toEqual([pixel(2), pixel(7)]);
  });

  test('keeps the copies when the originals are deleted, and clones keep theirs when all else is', async () => {
    await upload(ann, 'logo.png', pixel(1));
    const id = await create('<img src="asset:logo.png">');
    await act(id, 'publish', ann);
    await service().request('DELETE', '/v1/assets/logo.png', { key: ann });
    const { body: clone } = await act(id, 'clone', bob);
    await act(id, 'unpublish', ann);
    await service().request('DELETE', `/v1/templates/${id}`, { key: ann });
    expect(await read(bob, 'logo.png')).toBe(pixel(1));
    expect((await service().post('/v1/generate', { template: clone.id, ...strict }, bob)).status).toBe(200);
  });

  test('ends with the copies when the template is unpublished', async () => {
    await upload(ann, 'logo.png', pixel(1));
    const id = await create('<img src="asset:logo.png">');
    await act(id, 'publish', ann);
    expect((await act(id, 'publish', bob)).status).toBe(404);
    expect((await act(id, 'unpublish', bob)).status).toBe(404);
    await act(id, 'unpublish', ann);
    expect((await act(id, 'clone', bob)).status).toBe(404);
    expect(await names(bob)).toEqual([]);
    await service().request('DELETE', '/v1/assets/logo.png', { key: ann });
    expect((await act(id, 'publish', ann)).body.warnings).toMatchObject([{ code: 'ASSET_MISSING' }]);
    expect((await act(id, 'clone', bob)).body.assets).toBeUndefined();
  });
});

describe('a clone in an account with assets of the same names', () => {
  test('reuses the same bytes, and gives other content a free name that the template uses', async () => {
    await upload(ann, 'same.png', pixel(1));
    await upload(ann, 'my logo.png', pixel(2));
    await upload(
      ann,
      'brand.css',
      base64('p { background: url("my logo.png") } b { background: url(same.png) }'),
    );
    await upload(bob, 'same.png', pixel(1));
    await upload(bob, 'my logo.png', pixel(3));
    await upload(
      bob,
      'brand.css',
      base64('p { background: url("my logo.png") } b { background: url(same.png) }'),
    );
    const before = await read(bob, 'brand.css');
    const id = await create(
      '<link rel="stylesheet" href="asset:brand.css"><img src="asset:my logo.png"><img src="asset:my%20logo.png#a">{{asset "my logo.png"}}<img src="asset:same.png">',
      {
        options: { header: '<img src="asset:my logo.png">' },
        sample_data: { big: 1, url: 'asset:my logo.png' },
      },
    );
    await act(id, 'publish', ann);
    const { body: clone } = await act(id, 'clone', bob);
    expect(clone.assets).toEqual(['brand-2.css', 'my logo-2.png', 'same.png']);
    expect(await names(bob)).toEqual([
      'brand-2.css',
      'brand.css',
      'my logo-2.png',
      'my logo.png',
      'same.png',
    ]);
    expect(await htmlOf(clone.id, bob)).toBe(
      '<link rel="stylesheet" href="asset:brand-2.css"><img src="asset:my%20logo-2.png"><img src="asset:my%20logo-2.png#a">{{asset "my logo-2.png"}}<img src="asset:same.png">',
    );
    const { options, sample_data } = (await service().get(`/v1/templates/${clone.id}`, bob)).body;
    expect(options.header).toBe('<img src="asset:my%20logo-2.png">');
    expect(sample_data).toEqual({ big: 1, url: 'asset:my%20logo-2.png' });
    expect(await read(bob, 'my logo.png')).toBe(pixel(3));
    expect(await read(bob, 'my logo-2.png')).toBe(pixel(2));
    expect(await read(bob, 'brand.css')).toBe(before);
    expect(await read(bob, 'brand-2.css')).toBe(
      base64('p { background: url("my%20logo-2.png") } b { background: url(same.png) }'),
    );
    expect((await service().post('/v1/generate', { template: clone.id, ...strict }, bob)).status).toBe(200);
    const image = await create('<img src="asset:my logo.png">');
    await act(image, 'publish', ann);
    for (let time = 1; time <= 2; time += 1)
      expect((await act(image, 'clone', bob)).body.assets).toEqual(['my logo-2.png']);
  });

  test("that is the publisher's own account adds nothing", async () => {
    await upload(ann, 'logo.png', pixel(1));
    const id = await create('<img src="asset:logo.png">');
    await act(id, 'publish', ann);
    expect((await act(id, 'clone', ann)).body.assets).toEqual(['logo.png']);
    expect(await names(ann)).toEqual(['logo.png']);
  });
});

describeWithPdfTools('the fonts of a public template', () => {
  test('go along by the names of their families', async () => {
    await upload(ann, 'mine.ttf', base64(renameFont(trueTypeFont, 'Mine')));
    await upload(ann, 'other.ttf', base64(renameFont(trueTypeFont, 'Other')));
    const id = await create(`<p style="font-family: 'Mine', serif">Otherwise Other 123</p>`);
    expect((await act(id, 'publish', ann)).body.assets).toEqual(['mine.ttf']);
    const { body: clone } = await act(id, 'clone', bob);
    const { body: made } = await service().post('/v1/generate', { template: clone.id }, bob);
    const fonts = await pdfFonts(await service().download(made.url));
    expect(fonts.map(({ name }) => name)).toEqual([expect.stringContaining('Mine')]);
  });

  test('do not replace a face of the account', async () => {
    const font = { family: 'Acme', weight: 400, style: 'normal' };
    await upload(ann, 'a.ttf', base64(renameFont(trueTypeFont, 'Mine')), font);
    await upload(bob, 'b.ttf', base64(renameFont(trueTypeFont, 'Other')), font);
    const id = await create(
      '<style>@font-face { font-family: X; src: url(asset:a.ttf) } p { font-family: Acme }</style><p>1</p>',
    );
    await act(id, 'publish', ann);
    const { body: clone } = await act(id, 'clone', bob);
    expect([clone.assets, await names(bob)]).toEqual([['b.ttf'], ['b.ttf']]);
    expect(await htmlOf(clone.id, bob)).toContain('url(asset:b.ttf)');
  });
});

test('assets that do not fit give 400 and leave nothing behind', async () => {
  await using own = await TestService.start({ config: { plugins: { assets: { maxAccountMegabytes: 1 } } } });
  const svg = (size: number, mark: string) =>
    base64(`<svg xmlns="http://www.w3.org/2000/svg"><!--${mark.repeat(size)}--></svg>`);
  const put = async (key: string, name: string, data: string) =>
    expect((await own.post('/v1/assets', { name, data }, key)).status).toBe(201);
  const [publisher, cloner] = [await own.newKey(), await own.newKey()];
  const share = async (html_content: string) => {
    const { id } = (await own.post('/v1/templates', { name: 'T', html_content }, publisher)).body;
    return { id, answer: await own.request('POST', `/v1/marketplace/${id}/publish`, { key: publisher }) };
  };
  await put(publisher, 'a.svg', svg(300_000, 'a'));
  await put(publisher, 'b.svg', svg(400_000, 'b'));
  await put(cloner, 'c.svg', svg(500_000, 'c'));
  const first = await share('<img src="asset:a.svg"><img src="asset:b.svg">');
  expect(first.answer.status).toBe(200);
  const clone = await own.request('POST', `/v1/marketplace/${first.id}/clone`, { key: cloner });
  expect(clone.status).toBe(400);
  expect(clone.body.error).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringContaining('do not fit into the account'),
    details: [{ path: 'id' }],
  });
  const { data } = (await own.get('/v1/assets', cloner)).body;
  expect(data.map(({ name }: { name: string }) => name)).toEqual(['c.svg']);
  expect((await own.get('/v1/templates', cloner)).body.data).toEqual([]);
  const second = await share('<img src="asset:b.svg">');
  expect(second.answer.status).toBe(400);
  expect(second.answer.body.error.message).toContain('public templates of the account');
  expect((await own.get(`/v1/marketplace/${second.id}`, cloner)).status).toBe(404);
  await own.request('POST', `/v1/marketplace/${first.id}/unpublish`, { key: publisher });
  const again = await own.request('POST', `/v1/marketplace/${second.id}/publish`, { key: publisher });
  expect(again.body.assets).toEqual(['b.svg']);
});
