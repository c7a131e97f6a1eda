import { describe, expect, test } from 'bun:test';
import { zipSync } from 'fflate';
import { checkOfficeTemplate } from './index.ts';
import { fault, filled, linesOf } from './tests/fill.ts';
import { docx, link, makeFile, paragraph as p, partsOf, rows, xlsx } from './tests/make-file.ts';

const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/** Adds a part to a document. `size` is the size that the archive states. */
function withPart(name: string, content: string | Uint8Array, size?: number): Uint8Array {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const parts = Object.entries(partsOf(docx(p('x'))));
  const file = zipSync({
    ...Object.fromEntries(parts.map(([key, text]) => [key, new TextEncoder().encode(text)])),
    [name]: bytes,
  });
  if (size !== undefined) {
    const entry = Buffer.from(file.buffer).lastIndexOf(name) - 46;
    new DataView(file.buffer).setUint32(entry + 24, size, true);
  }
  return file;
}

const EXTERNAL = ' TargetMode="External"';
const documentXml = (body: string) => `<w:document xmlns:w="${W}"><w:body>${body}</w:body></w:document>`;
const includePicture = (space: string) =>
  `<w:p><w:r><w:instrText>${space}INCLUDEPICTURE "http://x.example/a.png"</w:instrText></w:r></w:p>`;

/** Makes a document whose main part has another name. */
function documentAt(name: string, body: string, links = ''): Uint8Array {
  const slash = name.lastIndexOf('/') + 1;
  return makeFile(
    { [name]: documentXml(body) },
    {
      types: { [name]: 'wordprocessingml.document.main' },
      links: {
        '_rels/.rels': link('rId1', 'officeDocument', name),
        [`${name.slice(0, slash)}_rels/${name.slice(slash)}.rels`]: links,
      },
    },
  );
}

describe('files that are not accepted', () => {
  test.each([
    ['text', new TextEncoder().encode('hello'), 'is not a docx, xlsx or pptx file'],
    ['a zip archive', zipSync({ 'a.txt': new Uint8Array(3) }), 'is not a docx, xlsx or pptx file'],
    [
      'an ODT',
      zipSync({
        mimetype: Buffer.from('application/vnd.oasis.opendocument.text'),
        'content.xml': new Uint8Array(3),
      }),
      'is not a docx, xlsx or pptx file',
    ],
    ['a truncated file', docx(p('x')).subarray(0, 300), 'is damaged'],
    ['an encrypted file', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0, 0]), 'is protected with a password'],
    [
      'a large part',
      withPart('word/big.xml', new Uint8Array(9), 64_000_001),
      'has a part of more than 64000000 bytes',
    ],
    [
      'an entity',
      withPart('word/document.xml', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'),
      'has a document type declaration',
    ],
    [
      'an unknown entity',
      withPart('word/document.xml', `<w:document xmlns:w="${W}">&b;</w:document>`),
      'refers to an unknown entity',
    ],
    [
      'deep nesting',
      withPart('word/document.xml', '<a>'.repeat(300) + '</a>'.repeat(300)),
      'is nested more than 256 levels deep',
    ],
    ['malformed XML', withPart('word/document.xml', '<a><b></a>'), 'is not well-formed'],
    [
      'macros',
      withPart('word/vbaProject.bin', new Uint8Array(9)),
      'has macros, which are not accepted: save it as docx',
    ],
    [
      'a linked image',
      withPart(
        'word/_rels/document.xml.rels',
        `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${link('rId1', 'image', 'http://10.0.0.1/a.png', ' TargetMode="External"')}</Relationships>`,
      ),
      'has a link of the kind "image" to "http://10.0.0.1/a.png"',
    ],
    [
      'a field that loads a file',
      docx('<w:p><w:r><w:instrText> INCLUDEPICTURE "http://x.example/a.png"</w:instrText></w:r></w:p>'),
      'has the field INCLUDEPICTURE',
    ],
    [
      'a function that loads a file',
      xlsx({ One: rows({ A1: '=WEBSERVICE("http://x.example")' }) }),
      'calls the function WEBSERVICE',
    ],
    [
      'a linked image, with "_rels" in the name of another folder',
      documentAt('x_rels/y/document.xml', p('x'), link('rId1', 'image', 'http://10.0.0.1/a', EXTERNAL)),
      'has a link of the kind "image"',
    ],
    [
      'a linked image, with a space in its mode',
      documentAt('a.xml', p('x'), link('rId1', 'image', 'http://10.0.0.1/a', ' TargetMode="External "')),
      'has a link of the kind "image"',
    ],
    [
      'relationships with another case',
      withPart('word/_Rels/document.xml.RELS', '<Relationships/>'),
      'has a part word/_Rels/document.xml.RELS, whose name',
    ],
    [
      'a field in a document in another folder',
      documentAt('other/document.bin', includePicture(' '.repeat(30))),
      'has the field INCLUDEPICTURE',
    ],
    [
      'a field in UTF-16',
      withPart('word/document.xml', Buffer.from(`\ufeff${documentXml(includePicture(' '))}`, 'utf16le')),
      'has the field INCLUDEPICTURE',
    ],
    [
      'a function in a name',
      xlsx(
        { One: rows({ A1: '=a' }) },
        { names: '<definedName name="a">WEBSERVICE("http://x")</definedName>' },
      ),
      'calls the function WEBSERVICE',
    ],
    [
      'a function after a line break',
      xlsx({ One: rows({ A1: '=RTD("a")' }).replace('<f>', '<f\n>') }),
      'calls the function RTD',
    ],
    [
      'a link to another program',
      xlsx(
        { One: rows({ A1: '1' }) },
        {
          parts: {
            'xl/externalLinks/externalLink1.xml':
              '<externalLink xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><ddeLink ddeService="cmd" ddeTopic="/c calc"/></externalLink>',
          },
        },
      ),
      'has a link to another program (ddeLink)',
    ],
  ])('%s', (_, file, message) => {
    expect(fault(file)).toStartWith('file: ');
    expect(fault(file)).toContain(message);
  });

  test('a document with macros in its type', () => {
    const file = makeFile(
      { 'word/document.xml': '<a/>' },
      {
        types: { 'word/document.xml': 'x' },
        links: { '_rels/.rels': link('a', 'officeDocument', 'word/document.xml') },
      },
    );
    expect(fault(file)).toBe('file: is not a docx, xlsx or pptx file');
  });
});

describe('files', () => {
  test('the format and the tags are checked', () => {
    expect(checkOfficeTemplate(docx(p('{{a}}')))).toEqual({ ok: true, value: { format: 'docx' } });
    expect(checkOfficeTemplate(docx(p('{{#if}}x{{/if}}')))).toMatchObject({ ok: false, subject: 'tag' });
  });

  test('a link to a template leads nowhere, and hyperlinks stay', () => {
    const rels = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${link('rId1', 'hyperlink', 'https://x.example/?a=1&amp;b', ' TargetMode="External"')}${link('rId2', 'attachedTemplate', 'http://10.0.0.1/t.dotm', ' TargetMode="External"')}</Relationships>`;
    const { parts } = filled(withPart('word/_rels/document.xml.rels', rels), {});
    expect(parts['word/_rels/document.xml.rels']).toContain('Target="https://x.example/?a=1&amp;b"');
    expect(parts['word/_rels/document.xml.rels']).not.toContain('10.0.0.1');
  });

  test('other prefixes of the namespaces', () => {
    const body = `<x:document xmlns:x="${W}"><x:body><x:p><x:r><x:t>{{a}}</x:t></x:r></x:p></x:body></x:document>`;
    expect(
      linesOf(filled(withPart('word/document.xml', body), { a: 'A' }).parts['word/document.xml']),
    ).toEqual(['A']);
  });

  test('parts that no tag concerns stay as they are', () => {
    const { parts } = filled(withPart('word/media/x.bin', 'anything'), {});
    expect(parts['word/media/x.bin']).toBe('anything');
    expect(parts['word/document.xml']).toBe(partsOf(docx(p('x')))['word/document.xml']);
  });
});
