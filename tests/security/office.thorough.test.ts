import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { docx, fodt, linkedImage, paragraph } from '../support/office/documents.ts';
import { convert, describeWithOffice, isIsolated } from '../support/office/office.ts';
import { onePixelPng } from '../support/pdf/one-pixel-png.ts';
import { pdfText, qpdfJson } from '../support/pdf/pdf.ts';
import { sharedService } from '../support/service/shared-service.ts';

const SECRET = `secret-${crypto.randomUUID()}`;

describeWithOffice('an office document', () => {
  const getService = sharedService({ config: { plugins: { office: { pool: 1 } } } });
  const requests: string[] = [];
  let folder = '';
  let server: Bun.Server<undefined>;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'platen-secret-'));
    writeFileSync(join(folder, 'secret.txt'), SECRET, { mode: 0o644 });
    writeFileSync(join(folder, 'secret.png'), onePixelPng(1, 2, 3), { mode: 0o644 });
    server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: ({ url }) => {
        requests.push(url);
        return new Response(SECRET);
      },
    });
  });
  afterAll(async () => {
    await server.stop(true);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Documents that ask for an address, by the way in which they ask. */
  const fetching: Readonly<Record<string, (url: string) => [name: string, file: Uint8Array]>> = {
    'a linked image, a template and a field of a docx file': (url) => [
      'a.docx',
      docx(
        `${linkedImage('i')}<w:p><w:r><w:fldChar w:fldCharType="begin" w:dirty="true"/></w:r><w:r><w:instrText xml:space="preserve"> INCLUDETEXT "${url}" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>old</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`,
        [
          { id: 'i', type: 'image', target: url },
          { id: 't', type: 'attachedTemplate', target: url },
        ],
      ),
    ],
    'a section, an OLE object and an image of a drawing': (url) => [
      'a.fodt',
      fodt(
        `<text:section text:name="s"><text:section-source xlink:href="${url}" xlink:type="simple" xlink:show="embed"/><text:p>old</text:p></text:section><text:p><draw:frame svg:width="5cm" svg:height="5cm"><draw:object-ole xlink:href="${url}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame></text:p><text:p><draw:frame svg:width="5cm" svg:height="5cm"><draw:image xlink:href="${url}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame></text:p>`,
      ),
    ],
    'an image in SVG': (url) => [
      'a.svg',
      strToU8(
        `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="100"><image xlink:href="${url}" width="100" height="100"/></svg>`,
      ),
    ],
    'an image in HTML': (url) => [
      'a.html',
      strToU8(
        `<html><head><link rel="stylesheet" href="${url}"></head><body><img src="${url}"><iframe src="${url}"></iframe>x</body></html>`,
      ),
    ],
    'WEBSERVICE in a table': (url) => ['a.csv', strToU8(`"=WEBSERVICE(""${url}"")",b\n1,2\n`)],
    'an entity in XML': (url) => [
      'a.fodt',
      strToU8(
        Buffer.from(fodt('<text:p>&x;</text:p>'))
          .toString()
          .replace('standalone="yes"?>', `?><!DOCTYPE d [<!ENTITY x SYSTEM "${url}">]>`),
      ),
    ],
  };

  test.each(Object.keys(fetching))('reaches nothing through %s', async (name) => {
    const [httpName, overHttp] = fetching[name]!(
      `http://127.0.0.1:${server.port}/${encodeURIComponent(name)}`,
    );
    const web = await convert(getService(), overHttp, { name: httpName });
    // LibreOffice refuses a drawing whose image is absent, and may refuse an entity.
    const expected = /entity|SVG/.test(name) ? [200, 400] : [200];
    expect(expected).toContain(web.status);
    const end = /image|SVG|HTML|drawing/.test(name) ? 'secret.png' : 'secret.txt';
    const [fileName, overFile] = fetching[name]!(`file://${folder}/${end}`);
    const local = await convert(getService(), overFile, { name: fileName });
    expect(expected).toContain(local.status);
    for (const { status, pdf } of [web, local]) {
      if (status !== 200) continue;
      expect(await pdfText(pdf)).not.toContain(SECRET);
      // The pixel of the file is no image of the PDF.
      if (isIsolated) expect(JSON.stringify(await qpdfJson(pdf))).not.toContain('"/Width":1,');
    }
    expect(requests).toEqual([]);
  });

  test('runs no macros', async () => {
    const target = join(folder, 'written.txt');
    const script = `<script:module xmlns:script="http://openoffice.org/2000/script" script:name="M" script:language="StarBasic">Sub Main\nOpen "${target}" For Output As #1\nPrint #1, "x"\nClose #1\nThisComponent.Text.String = "MACRO RAN"\nEnd Sub</script:module>`;
    const office = 'urn:oasis:names:tc:opendocument:xmlns:office:1.0';
    const event = `<office:scripts><office:event-listeners><script:event-listener script:language="ooo:script" script:event-name="dom:load" xlink:href="vnd.sun.star.script:Standard.M.Main?language=Basic&amp;location=document"/></office:event-listeners></office:scripts>`;
    const file = zipSync({
      mimetype: strToU8('application/vnd.oasis.opendocument.text'),
      'META-INF/manifest.xml': strToU8(
        `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/><manifest:file-entry manifest:full-path="Basic/script-lc.xml" manifest:media-type="text/xml"/><manifest:file-entry manifest:full-path="Basic/Standard/script-lb.xml" manifest:media-type="text/xml"/><manifest:file-entry manifest:full-path="Basic/Standard/M.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
      ),
      'content.xml': strToU8(
        `<office:document-content xmlns:office="${office}" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:script="urn:oasis:names:tc:opendocument:xmlns:script:1.0" xmlns:xlink="http://www.w3.org/1999/xlink">${event}<office:body><office:text><text:p>harmless</text:p></office:text></office:body></office:document-content>`,
      ),
      'Basic/script-lc.xml': strToU8(
        '<library:libraries xmlns:library="http://openoffice.org/2000/library" xmlns:xlink="http://www.w3.org/1999/xlink"><library:library library:name="Standard" library:link="false"/></library:libraries>',
      ),
      'Basic/Standard/script-lb.xml': strToU8(
        '<library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly="false" library:passwordprotected="false"><library:element library:name="M"/></library:library>',
      ),
      'Basic/Standard/M.xml': strToU8(script),
    });
    const { status, pdf } = await convert(getService(), file, { name: 'a.odt' });
    expect(status).toBe(200);
    expect((await pdfText(pdf)).trim()).toBe('harmless');
    expect(await Bun.file(target).exists()).toBeFalse();
  });

  test('costs one request when it is garbage in a known container', async () => {
    const broken = zipSync({
      '[Content_Types].xml': strToU8(
        '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
      ),
      'word/document.xml': crypto.getRandomValues(new Uint8Array(50_000)),
    });
    const answer = await convert(getService(), broken, { name: 'a.docx' });
    expect(answer.status).toBe(400);
    expect(answer.message).toStartWith('file: ');
    expect(await convert(getService(), docx(paragraph('next')))).toMatchObject({ status: 200 });
  });
});
