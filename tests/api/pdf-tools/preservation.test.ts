import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { invoice } from '../../../packages/einvoice/tests/build-invoice.ts';
import { describeWithPdfTools } from '../../support/pdf/pdf.ts';
import { base64, rejectionOf, runOn } from '../../support/pdf/pdf-operations.ts';
import { extendedService } from '../../support/service/shared-service.ts';
import { documentedOperations, OPERATION_REQUESTS } from '../../support/pdf/operation-requests.ts';
import { pagesPdf, plainPdf, stream, withQpdf } from '../../support/pdf/samples.ts';
import { casesOfSuite } from '../../support/suite.ts';

// The table "What happens to the parts of a PDF" in docs/pdf-operations.md has a row for each operation. A
// new operation adds its row there.
const service = extendedService();

/** The requests that change a PDF in another way than the first one in `OPERATION_REQUESTS`. */
const REQUESTS: Record<string, (pdf: string) => object> = {
  merge: (pdf) => ({ pdfs: [pdf, base64(pagesPdf(1))] }),
  split: (pdf) => ({ pdf, ranges: [[1]] }),
  pages: (pdf) => ({ pdf, pages: '2, 1' }),
  protect: (pdf) => ({ pdf, owner_password: 'owner' }),
  unlock: (pdf) => ({
    pdf: base64(
      withQpdf(Buffer.from(pdf, 'base64').toString('latin1'), ['--encrypt', '', 'owner', '256', '--']),
    ),
    password: 'owner',
  }),
  sign: (pdf) => ({ pdf, name: 'Ada' }),
  properties: (pdf) => ({ pdf, set: { title: 'x' } }),
  outline: (pdf) => ({ pdf, set: [{ title: 'x', page: 1 }] }),
  attachments: (pdf) => ({ pdf, add: [{ name: 'b.txt', data: 'AAAA' }] }),
  // White space at the end, so that the result is smaller.
  compress: (pdf) => ({ pdf: base64(`${Buffer.from(pdf, 'base64').toString('latin1')}${' '.repeat(900)}`) }),
  'forms/fill': (pdf) => ({ pdf, fields: [{ name: 'more', value: 'x' }] }),
  'forms/fill and flatten': (pdf) => ({ pdf, fields: [{ name: 'more', value: 'x' }], flatten: true }),
  'forms/add-fields': (pdf) => ({
    pdf,
    fields: [{ name: 'new', type: 'text', page: 0, x: 100, y: 100, width: 90, height: 19 }],
  }),
  'pdfa 2b': (pdf) => ({ pdf, level: '2b' }),
  'pdfa 3b': (pdf) => ({ pdf, level: '3b' }),
  invoice: (pdf) => ({ pdf, profile: 'en16931', data: invoice() }),
};

const requestOf = (operation: string) => REQUESTS[operation] ?? OPERATION_REQUESTS[operation]?.[0];

const PAGE = '/Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]';

/** Entries of the catalog and the first page of a file, and its objects, which are numbered from 6. */
interface Sample {
  catalog?: string;
  page?: string;
  objects?: string[];
}

/** Creates a file of two pages. */
function sample({ catalog = '', page = '', objects = [] }: Sample): string {
  return plainPdf([
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
    `<<${PAGE}/Contents 5 0 R${page}>>`,
    `<<${PAGE}>>`,
    stream('/P<</MCID 0>>BDC 0 0 9 9 re f EMC /OC/L BDC 20 20 9 9 re f EMC'),
    ...objects,
  ]);
}

/** Adds a text field with the name `more` to a sample. */
function withField({ catalog = '', page = '', objects = [] }: Sample): Sample {
  const field = `${6 + objects.length} 0 R`;
  return {
    catalog: catalog.includes('/Fields[')
      ? catalog.replace('/Fields[', `/Fields[${field} `)
      : `${catalog}/AcroForm<</Fields[${field}]/DA(/Helv 9 Tf 0 g)>>`,
    page: page.includes('/Annots[')
      ? page.replace('/Annots[', `/Annots[${field} `)
      : `${page}/Annots[${field}]`,
    objects: [...objects, '<</T(more)/FT/Tx/Subtype/Widget/DA(/Helv 9 Tf 0 g)/Rect[0 50 90 69]/P 3 0 R>>'],
  };
}

/**
 * A claim of PDF/A-4, which Platen does not check. It would remove claims of other parts, because the samples
 * do not conform.
 */
const xmp =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="4"/></rdf:RDF></x:xmpmeta>';

/** A file with each part, and a pattern that finds the part in the text of a file that qpdf has unpacked. */
const PARTS: Record<string, { made: Sample; pattern: RegExp }> = {
  signatures: {
    made: {
      catalog: '/AcroForm<</Fields[6 0 R]/SigFlags 3>>',
      page: '/Annots[6 0 R]',
      objects: [
        '<</T(s)/FT/Sig/Subtype/Widget/Rect[0 0 9 9]/P 3 0 R/V 7 0 R>>',
        '<</Type/Sig/ByteRange[0 1 2 3]/Contents<00>>>',
      ],
    },
    pattern: /\/ByteRange/,
  },
  forms: {
    made: {
      catalog: '/AcroForm<</Fields[6 0 R]/DA(/F 9 Tf 0 g)>>',
      page: '/Annots[6 0 R]',
      objects: ['<</T(name)/FT/Tx/V(Ada)/Subtype/Widget/Rect[0 0 90 19]/P 3 0 R>>'],
    },
    pattern: /\/V \(Ada\)/,
  },
  tags: {
    made: {
      catalog: '/MarkInfo<</Marked true>>/StructTreeRoot 6 0 R',
      page: '/StructParents 0',
      objects: [
        '<</Type/StructTreeRoot/K 7 0 R/ParentTree<</Nums[0[7 0 R]]>>>>',
        '<</S/P/P 6 0 R/Pg 3 0 R/K 0>>',
      ],
    },
    // A paragraph without text becomes an artifact of an accessible document.
    pattern: /\/S \/(?:P|Document)\b/,
  },
  outlines: {
    made: {
      catalog: '/Outlines 6 0 R',
      objects: ['<</First 7 0 R/Last 7 0 R/Count 1>>', '<</Title(Bookmark)/Parent 6 0 R/Dest[3 0 R/Fit]>>'],
    },
    pattern: /\/Title \(Bookmark\)/,
  },
  layers: {
    made: {
      catalog: '/OCProperties<</OCGs[6 0 R]/D<</OFF[6 0 R]>>>>',
      page: '/Resources<</Properties<</L 6 0 R>>>>',
      objects: ['<</Type/OCG/Name(Layer)>>'],
    },
    pattern: /\/OFF \[\s*\d+ 0 R\s*\]/,
  },
  attachments: {
    made: {
      catalog: '/Names<</EmbeddedFiles<</Names[(a.txt)6 0 R]>>>>',
      objects: ['<</Type/Filespec/F(a.txt)/EF<</F 7 0 R>>>>', stream('attached', '/Type/EmbeddedFile')],
    },
    pattern: /attached/,
  },
  'page labels': {
    made: { catalog: '/PageLabels<</Nums[0<</P(Label)>>]>>' },
    pattern: /\/P \(Label\)/,
  },
  'PDF/A claims': {
    made: { catalog: '/Metadata 6 0 R', objects: [stream(xmp, '/Type/Metadata/Subtype/XML')] },
    pattern: /pdfaid:part/,
  },
};

const unpacked = (pdf: string | Uint8Array) => {
  const bytes = typeof pdf === 'string' ? Buffer.from(pdf, 'latin1') : pdf;
  const command = ['qpdf', '--password=owner', '--decrypt', '--qdf', '--object-streams=disable', '{}', '-'];
  return runOn(bytes, command);
};

/** `tests/pdfa/claims.test.ts` compares this column with the results for PDF/UA files. */
const TESTED_ELSEWHERE = 'PDF/UA claims';

/** Reads the cells of the table, each with its operation and its part. */
function readTable(): [operation: string, part: string, cell: string][] {
  const text = readFileSync(join(import.meta.dir, '../../../docs/pdf-operations.md'), 'utf8');
  const rows = text.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const head = rows.find((cells) => cells[1] === 'operation' && cells.includes('tags'));
  if (!head) throw new Error('docs/pdf-operations.md has no table of parts');
  const body = rows.slice(rows.indexOf(head) + 2);
  const end = body.findIndex((cells) => cells.length !== head.length);
  return body
    .slice(0, end)
    .flatMap((cells) =>
      head
        .slice(2, -1)
        .flatMap((part, index): [string, string, string][] =>
          part === TESTED_ELSEWHERE
            ? []
            : [[(cells[1] ?? '').replaceAll('`', ''), part, cells[index + 2] ?? '']],
        ),
    );
}

const table = readTable();

test('every operation that returns a PDF is in the table', () => {
  const returningPdfs = documentedOperations().filter(
    ({ name, mediaTypes }) => mediaTypes.includes('application/pdf') && name !== 'pipeline',
  );
  const rows = new Set(table.map(([operation]) => operation));
  expect(returningPdfs.map(({ name }) => name).filter((name) => !rows.has(name))).toEqual([]);
});

test('every operation of the table has a request, and every part a sample', () => {
  const rows = new Set(table.map(([operation]) => operation));
  expect([...rows].filter((operation) => !requestOf(operation))).toEqual([]);
  expect(Object.keys(REQUESTS).filter((operation) => !rows.has(operation))).toEqual([]);
  expect(new Set(table.map(([, part]) => part))).toEqual(new Set(Object.keys(PARTS)));
});

describeWithPdfTools('the table of what happens to the parts of a PDF is true for', () => {
  test.each(Object.entries(PARTS))('the sample with %s', (_, { made, pattern }) => {
    expect(unpacked(sample(made))).toMatch(pattern);
  });

  test.each(casesOfSuite(table, 14))('%s: %s are %s', async (operation, part, cell) => {
    const sampleOfPart = PARTS[part];
    if (!sampleOfPart) throw new Error(`there is no sample with ${part}`);
    const { made, pattern } = sampleOfPart;
    const pdf = sample(operation.startsWith('forms/') ? withField(made) : made);
    const request = requestOf(operation)?.(base64(pdf));
    const [route = ''] = operation.split(' ');
    const answer = await service().post(`/v1/pdf/${route}`, { ...request, output: 'base64' });
    if (cell === '400') {
      expect(rejectionOf(answer)).toMatch(/^(?:pdf|flatten|fields\[0\]\.type): /);
      return;
    }
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    const [result] = answer.body.parts ?? [answer.body];
    const text = unpacked(Buffer.from(result.data, 'base64'));
    expect(text).toContain('%PDF-');
    expect(['kept', 'removed']).toContain(cell);
    expect(pattern.test(text) ? 'kept' : 'removed').toBe(cell);
  });
});
