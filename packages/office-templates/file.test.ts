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

describe('files that are not accepted', () => {
  test.each([
    ['text', new TextEncoder().encode('hello'), 'is not a docx, xlsx or pptx file'],
    ['a zip archive', zipSync({ 'a.txt': new Uint8Array(3) }), 'the part [Content_Types].xml is missing'],
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
  ])('%s', (_, file, message) => {
    expect(fault(file)).toContain(`file: ${message.startsWith('the part') ? 'is damaged: ' : ''}`);
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
