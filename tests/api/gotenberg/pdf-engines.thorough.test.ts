import { describe, expect, test } from 'bun:test';
import { postGotenberg } from '../../support/gotenberg.ts';
import { pagesPdf } from '../../support/pdf/samples.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();
const post = postGotenberg(service, 'forms/pdfengines/');
const pages3 = ['files', pagesPdf(3), 'pages_3.pdf'] as const;

describe('split', () => {
  test('intervals', async () => {
    const response = await post('split', [pages3, ['splitMode', 'intervals'], ['splitSpan', '2']]);
    console.log(
      response.status,
      response.text,
      [...response.headers],
      response.files.map((f) => f.name),
    );
    for (const [route, parts] of [
      [
        'split',
        [
          ['splitMode', 'pages'],
          ['splitSpan', '2-'],
          ['splitUnify', 'true'],
        ],
      ],
      [
        'split',
        [
          ['splitMode', 'pages'],
          ['splitSpan', 'foo'],
        ],
      ],
      [
        'split',
        [
          ['splitMode', 'foo'],
          ['splitSpan', '2'],
        ],
      ],
      ['split', []],
      [
        'merge',
        [
          ['files', pagesPdf(1), 'b.pdf'],
          ['autoIndexBookmarks', 'true'],
          ['titleBookmarks', 'true'],
        ],
      ],
      ['metadata/read', []],
      ['bookmarks/read', []],
      [
        'bookmarks/write',
        [['bookmarks', '[{"title":"Index","page":1,"children":[{"title":"Sub","page":2}]}]']],
      ],
      ['bookmarks/write', [['bookmarks', 'foo']]],
      ['bookmarks/write', [['bookmarks', '[{"title":"Index","page":9}]']]],
      [
        'metadata/write',
        [
          [
            'metadata',
            '{"Author":"Julien Neuhart","Copyright":"Julien Neuhart","CreateDate":"2006-09-18T16:27:50-04:00","Creator":"Gotenberg","Keywords":["first","second"],"Marked":true,"ModDate":"2006-09-18T16:27:50-04:00","PDFVersion":1.7,"Producer":"Gotenberg","Subject":"Sample","Title":"Sample","Trapped":"Unknown"}',
          ],
        ],
      ],
      ['encrypt', [['userPassword', 'foo']]],
      ['encrypt', []],
      [
        'rotate',
        [
          ['rotateAngle', '90'],
          ['rotatePages', '1,3'],
        ],
      ],
      ['rotate', [['rotateAngle', '45']]],
      [
        'embed',
        [
          ['embeds', '<a/>', 'embed_1.xml'],
          ['embeds', '<b/>', 'embed_2.xml'],
          ['embedsMetadata', '{"embed_1.xml":{"mimeType":"text/xml","relationship":"Data"}}'],
        ],
      ],
      [
        'watermark',
        [
          ['watermarkSource', 'text'],
          ['watermarkExpression', 'CONFIDENTIAL'],
        ],
      ],
      ['watermark', [['watermarkSource', 'image']]],
      [
        'stamp',
        [
          ['stampSource', 'pdf'],
          ['stamp', pagesPdf(1), 's.pdf'],
          ['stampPages', '2'],
        ],
      ],
      ['optimize', []],
      ['flatten', []],
      ['convert', [['pdfa', 'PDF/A-2b']]],
      ['convert', [['pdfa', 'foo']]],
      ['convert', []],
      [
        'factur-x',
        [
          ['facturxXml', '<a/>', 'x.xml'],
          ['facturxConformanceLevel', 'EN 16931'],
        ],
      ],
      ['convert', [['pdfua', 'true']]],
      ['merge', [['files', '<html>', 'b.pdf']]],
    ] as const) {
      const r = await post(route, [pages3, ...parts]);
      console.log(
        route,
        JSON.stringify(parts).slice(0, 100),
        r.status,
        r.text,
        r.headers.get('content-type'),
        r.files.map((f) => `${f.name} ${f.content.length}`),
      );
    }
    expect(1).toBe(1);
  });
});
