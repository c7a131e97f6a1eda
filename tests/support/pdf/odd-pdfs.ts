import {
  encryptedPdf,
  ID_OBJECT,
  laidOutPdf,
  type SampleEncryption,
  type SampleIdentity,
} from '../../../packages/pdf/tests/encrypted-pdf.ts';
import { plainPdf, stream } from '../../../packages/pdf/tests/plain-pdf.ts';
import type { Layout } from '../../../packages/pdf/tests/layout.ts';

/** A PDF in an unusual form. */
export interface OddPdf {
  name: string;
  make: () => Buffer;
}

const aes128 = { version: 4, revision: 4, keyBytes: 16, method: 'AESV2' } as const;

/** Every version, revision and method of the standard security handler, and every choice of crypt filters. */
export const ENCRYPTIONS: Readonly<Record<string, SampleEncryption>> = {
  'RC4, 40 bits': { version: 1, revision: 2, keyBytes: 5 },
  'RC4, 40 bits, revision 3': { version: 1, revision: 3, keyBytes: 5 },
  'RC4, 64 bits': { version: 2, revision: 3, keyBytes: 8 },
  'RC4, 128 bits': { version: 2, revision: 3, keyBytes: 16 },
  'RC4 as a crypt filter': { version: 4, revision: 4, keyBytes: 16, method: 'V2' },
  'AES-128': aes128,
  'AES-128, metadata in the clear': { ...aes128, encryptMetadata: false },
  'AES-128, streams in the clear': { ...aes128, filters: { StmF: 'Identity' } },
  'AES-128, strings in the clear': { ...aes128, filters: { StrF: 'Identity' } },
  'AES-128, attachments in the clear': { ...aes128, filters: { EFF: 'Identity' } },
  'AES-128, only attachments encrypted': {
    ...aes128,
    filters: { StmF: 'Identity', StrF: 'Identity', EFF: 'StdCF' },
  },
  'AES-256, revision 5': { version: 5, revision: 5, keyBytes: 32, method: 'AESV3' },
  'AES-256, revision 6': { version: 5, revision: 6, keyBytes: 32, method: 'AESV3' },
};

const first = Buffer.from('0123456789abcdef', 'latin1');
const other = Buffer.from('fedcba9876543210', 'latin1');
const none = new Uint8Array(0);
const hex = (bytes: Uint8Array) => `<${Buffer.from(bytes).toString('hex')}>`;

/** The forms of the trailer's entry `ID`. */
export const IDENTITIES: Readonly<Record<string, SampleIdentity>> = {
  'two equal strings': { first, entry: `/ID[${hex(first)}${hex(first)}]` },
  'two different strings': { first, entry: `/ID[${hex(first)}${hex(other)}]` },
  missing: { first: none, entry: '' },
  null: { first: none, entry: '/ID null' },
  'an empty array': { first: none, entry: '/ID[]' },
  'empty strings': { first: none, entry: '/ID[()()]' },
  'one string': { first, entry: `/ID[${hex(first)}]` },
  'one string that the key ignores': { first: none, entry: `/ID[${hex(first)}]` },
  'two strings that the key ignores': { first: none, entry: `/ID[${hex(first)}${hex(other)}]` },
  'three strings': { first, entry: `/ID[${hex(first)}${hex(other)}${hex(other)}]` },
  numbers: { first: none, entry: '/ID[1 2]' },
  'a name': { first: none, entry: '/ID/x' },
  'a reference to an array': {
    first,
    entry: `/ID ${ID_OBJECT} 0 R`,
    object: `[${hex(first)}${hex(other)}]`,
  },
  'references to a string': {
    first,
    entry: `/ID[${ID_OBJECT} 0 R ${ID_OBJECT} 0 R]`,
    object: hex(first),
  },
};

/** Unusual trailers, cross-reference sections and ends of a file. */
export const LAYOUTS: Readonly<Record<string, Layout>> = {
  'a table': {},
  'a cross-reference stream': { xref: 'stream' },
  'a table and a stream': { xref: 'hybrid' },
  'no Size': { size: 'absent' },
  'no Size in a stream': { xref: 'stream', size: 'absent' },
  'a small Size': { size: 3 },
  'a small Size in a stream': { xref: 'stream', size: 3 },
  'a large Size': { size: 100_000 },
  'a Size above the limit of PDFium': { size: 5_000_000 },
  'a Size above 2^31': { size: 4_294_967_296 },
  'a negative Size': { size: -1 },
  'a Prev that names its own section': { prev: 'self' },
  'a Prev that names its own stream': { xref: 'stream', prev: 'self' },
  'sections that name each other': { prev: 'loop' },
  'a Prev of 0': { prev: 0 },
  'a Prev beyond the end': { prev: 999_999_999 },
  'a Prev within an object': { prev: 30 },
  'a wrong startxref': { start: 'wrong' },
  'no startxref': { start: 'absent' },
  'several ends': { after: '%%EOF\n%%EOF\n\n' },
  'a second startxref without an offset': { after: 'startxref\n%%EOF\n' },
  'bytes after the end': { after: '\0'.repeat(3000) },
  'text before the header': { before: 'HTTP/1.1 200 OK\r\n\r\n' },
  'text before the header of a file with a stream': { before: 'x'.repeat(700), xref: 'stream' },
  'an Info that is null': { trailer: '/Info null' },
  'an Info that is missing': { trailer: '/Info 80 0 R' },
  'an Info in the trailer': { trailer: '/Info<</Title(Direct)>>' },
  'an Info that is the catalog': { trailer: '/Info 1 0 R' },
  'an Info that is an array': { trailer: '/Info[1 2]' },
  'a Root of another generation': { trailer: '/Root 1 7 R' },
};

/** Makes every encryption with every form of `ID`, and in other layouts with two of them. */
export function encryptedPdfs(plain: string): OddPdf[] {
  const common = ['two different strings', 'missing'];
  const places = [
    ...Object.keys(IDENTITIES).map((id) => ({ id, layout: 'a table', isDirect: false })),
    ...common.map((id) => ({ id, layout: 'a table', isDirect: true })),
    ...common.flatMap((id) =>
      ['a cross-reference stream', 'a table and a stream'].flatMap((layout) =>
        [false, true].map((isDirect) => ({ id, layout, isDirect })),
      ),
    ),
  ];
  return Object.entries(ENCRYPTIONS).flatMap(([cipher, encryption]) =>
    places.map(({ id, layout, isDirect }) => ({
      name: `${cipher}, ID: ${id}, ${layout}${isDirect ? ', Encrypt in the trailer' : ''}`,
      make: () =>
        encryptedPdf(plain, encryption, {
          identity: IDENTITIES[id] ?? { first: none, entry: '' },
          layout: LAYOUTS[layout] ?? {},
          isDirect,
        }),
    })),
  );
}

/** Makes every encryption with a user password. */
export function lockedPdfs(plain: string, userPassword: string): OddPdf[] {
  const identity = { first: none, entry: '' };
  return Object.entries(ENCRYPTIONS).map(([name, encryption]) => ({
    name,
    make: () => encryptedPdf(plain, { ...encryption, userPassword }, { identity }),
  }));
}

/** Makes every unusual layout of a file that is not encrypted. */
export function oddLayouts(plain: string): OddPdf[] {
  return Object.entries(LAYOUTS).map(([name, layout]) => ({ name, make: () => laidOutPdf(plain, layout) }));
}

const PAGE =
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 7 0 R/Resources<</Font<</F 6 0 R>>>>>>';
const tree = (kids: string, count: string) => `<</Type/Pages/Kids[${kids}]${count}>>`;

/**
 * The root of the page tree, the object 5 and the number of pages, of files whose readers find different
 * pages or none.
 */
const TREES: Readonly<Record<string, readonly [root: string, five: string, pages: number]>> = {
  'a font among the pages': [tree('3 0 R 6 0 R 4 0 R', '/Count 3'), 'null', 3],
  'a font that Count ignores': [tree('3 0 R 6 0 R 4 0 R', '/Count 2'), 'null', 3],
  'a font as the first page': [tree('6 0 R 3 0 R 4 0 R', '/Count 3'), 'null', 3],
  'the catalog among the pages': [tree('3 0 R 1 0 R 4 0 R', '/Count 3'), 'null', 3],
  'null among the pages': [tree('3 0 R null 4 0 R', '/Count 3'), 'null', 2],
  'a missing object among the pages': [tree('3 0 R 77 0 R 4 0 R', '/Count 3'), 'null', 2],
  'a number among the pages': [tree('3 0 R 12 4 0 R', '/Count 3'), 'null', 2],
  'an array among the pages': [tree('3 0 R 5 0 R 4 0 R', '/Count 3'), '[3 0 R]', 2],
  'a stream among the pages': [tree('3 0 R 7 0 R 4 0 R', '/Count 3'), 'null', 2],
  'an empty page': [tree('3 0 R 5 0 R 4 0 R', '/Count 3'), '<<>>', 3],
  'a node without Kids': [tree('3 0 R 5 0 R 4 0 R', '/Count 3'), '<</Type/Pages/Parent 2 0 R>>', 3],
  'a page with Kids': [tree('3 0 R 5 0 R', '/Count 2'), '<</Type/Page/Parent 2 0 R/Kids[4 0 R]/Count 1>>', 2],
  'a node without a type': [tree('3 0 R 5 0 R', '/Count 2'), '<</Parent 2 0 R/Kids[4 0 R]/Count 1>>', 2],
  'a root without a type': ['<</Kids[3 0 R 4 0 R]/Count 2>>', 'null', 2],
  'a direct page object': [tree(`3 0 R ${PAGE}`, '/Count 2'), 'null', 2],
  'a page that occurs twice': [tree('3 0 R 3 0 R', '/Count 2'), 'null', 2],
  'Kids that are one node': [
    '<</Type/Pages/Kids 5 0 R/Count 2>>',
    '<</Type/Pages/Parent 2 0 R/Kids[3 0 R 4 0 R]/Count 2>>',
    2,
  ],
  'a Count of 0': [tree('3 0 R 4 0 R', '/Count 0'), 'null', 2],
  'a negative Count': [tree('3 0 R 4 0 R', '/Count -5'), 'null', 2],
  'a small Count': [tree('3 0 R 4 0 R', '/Count 1'), 'null', 2],
  'a large Count': [tree('3 0 R 4 0 R', '/Count 9'), 'null', 2],
  'no Count': [tree('3 0 R 4 0 R', ''), 'null', 2],
  'a Count that is a string': [tree('3 0 R 4 0 R', '/Count(2)'), 'null', 2],
  'a wrong Count of a node': [
    tree('3 0 R 5 0 R', '/Count 2'),
    '<</Type/Pages/Parent 2 0 R/Kids[4 0 R]/Count 7>>',
    2,
  ],
};

/** Makes every unusual page tree, with the number of its pages. */
export function oddTrees(): (OddPdf & { pages: number })[] {
  return Object.entries(TREES).map(([name, [root, five, pages]]) => ({
    name,
    pages,
    make: () =>
      Buffer.from(
        plainPdf([
          '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[8 0 R]/DA(/F 9 Tf 0 g)>>>>',
          root,
          PAGE.replace('/Contents', '/Annots[8 0 R]/Contents'),
          PAGE,
          five,
          '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
          stream('BT /F 20 Tf 9 9 Td (Words) Tj ET'),
          '<</T(x)/FT/Tx/Subtype/Widget/DA(/F 9 Tf 0 g)/Rect[0 50 90 69]/P 3 0 R>>',
        ]),
        'latin1',
      ),
  }));
}
