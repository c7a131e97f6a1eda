import { plainPdf, stream } from '../../../packages/pdf/tests/plain-pdf.ts';

/** A structure element: its type, further entries of its dictionary, and its children. */
export type Node = [type: string, entries?: string, ...children: Node[]];

/** The parts of a tagged file that differ from a plain one. */
export interface TaggedFile {
  /**
   * The elements after the paragraph of the document. The first has the number 14 plus the number of
   * `objects`.
   */
  nodes?: Node[];
  /** Further objects, which have the numbers from 14. */
  objects?: string[];
  /** The language in the catalog; `null` for a file without one. */
  language?: string | null;
  /** Further entries of the catalog, the page, the paragraph, and the structure tree root. */
  catalog?: string;
  page?: string;
  paragraph?: string;
  root?: string;
  /** Further entries of the resources of the page, and of the parent tree. */
  resources?: string;
  parents?: string;
  content?: string;
  /** The metadata about PDF/UA, and the title. */
  identification?: string;
  title?: string;
  header?: string;
}

/** A file, and whether it conforms to PDF/UA-1. The name begins with the clause of ISO 14289-1. */
export type UaCase = [name: string, valid: boolean, file: TaggedFile];

/** The page content of a file unless it has its own: a letter in the paragraph. */
export const TEXT = '/P<</MCID 0>>BDC BT /F 9 Tf (a)Tj ET EMC';
const FIRST = 14;
const PREFIX = 'xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"';
/** The identification of PDF/UA-1 that a file has unless it has its own. */
export const IDENTIFICATION = `<rdf:Description rdf:about="" ${PREFIX}><pdfuaid:part>1</pdfuaid:part></rdf:Description>`;
const UNICODE = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /A def /CMapType 2 def
1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <61> <0061> endbfchar endcmap end end`;

/** Writes a file that conforms to PDF/UA-1, except for the given parts. */
export function taggedFile(file: TaggedFile = {}): Buffer {
  const { objects = [], nodes = [], language = 'en', title = titleIn('x-default') } = file;
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">${title}</rdf:Description>${file.identification ?? IDENTIFICATION}</rdf:RDF></x:xmpmeta>`;
  const written: string[] = [];
  const write = ([type, entries = '', ...children]: Node, parent: number): number => {
    const number = FIRST + objects.length + written.length;
    const at = written.push('') - 1;
    const kids = children.map((child) => `${write(child, number)} 0 R`);
    const owner = entries.includes('/P ') ? '' : `/P ${parent} 0 R`;
    const key = kids.length > 0 ? `/K[${kids.join(' ')}]` : '';
    written[at] = `<</S/${type}${owner}${key}${entries.replace('/P none', '')}>>`;
    return number;
  };
  const kids = nodes.map((node) => `${write(node, 6)} 0 R`);
  const text = plainPdf([
    `<</Type/Catalog/Pages 2 0 R/StructTreeRoot 5 0 R/Metadata 7 0 R/MarkInfo<</Marked true>>/ViewerPreferences<</DisplayDocTitle true>>${language === null ? '' : `/Lang(${language})`}${file.catalog ?? ''}>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Tabs/S/StructParents 0/Resources<</Font<</F 9 0 R>>${file.resources ?? ''}>>${file.page ?? ''}>>`,
    stream(file.content ?? TEXT),
    `<</Type/StructTreeRoot/K 6 0 R/ParentTree 12 0 R${file.root ?? ''}>>`,
    `<</S/Document/P 5 0 R/K[8 0 R ${kids.join(' ')}]>>`,
    stream(xmp, '/Type/Metadata/Subtype/XML'),
    `<</S/P/P 6 0 R/Pg 3 0 R/K 0${file.paragraph ?? ''}>>`,
    '<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 97/LastChar 97/Widths[1000]/Encoding<</Type/Encoding/Differences[97/a]>>/CharProcs<</a 10 0 R>>/ToUnicode 11 0 R/Resources<<>>>>',
    stream('1000 0 0 0 1000 1000 d1 0 0 500 500 re f'),
    stream(UNICODE),
    `<</Nums[0[8 0 R]${file.parents ?? ''}]>>`,
    '<</Type/Filespec>>',
    ...objects,
    ...written,
  ]);
  return Buffer.from(text.replace('%PDF-1.4', file.header ?? '%PDF-1.7'), 'latin1');
}

/** Returns a title whose text has a language, such as `x-default`. */
export function titleIn(language: string): string {
  return `<dc:title><rdf:Alt><rdf:li xml:lang="${language}">Title</rdf:li></rdf:Alt></dc:title>`;
}
