import { stream } from '../../../packages/pdf/tests/plain-pdf.ts';
import { IDENTIFICATION, TEXT, type TaggedFile, type UaCase } from './tagged-file.ts';

const identified = (from: string, to: string): TaggedFile => ({
  identification: IDENTIFICATION.replace(from, to),
});
/** A file with an annotation as object 14 in an element of a type. */
const annotated = (annotation: string, type = 'Annot', more: TaggedFile = {}): TaggedFile => ({
  page: '/Annots[14 0 R]',
  objects: [`<</Type/Annot/Rect[9 9 20 20]/StructParent 1${annotation}>>`],
  nodes: [[type, '/Pg 3 0 R/K<</Type/OBJR/Obj 14 0 R>>']],
  parents: ' 1 15 0 R',
  ...more,
});
const attached = (names: string): string => `<</Type/Filespec${names}/EF<</F 15 0 R>>>>`;
const xfa = (render: string): TaggedFile => ({
  catalog: '/AcroForm<</Fields[]/XFA 14 0 R>>',
  objects: [
    stream(
      `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><config xmlns="http://www.xfa.org/schema/xci/3.0/"><acrobat><acrobat7><dynamicRender>${render}</dynamicRender></acrobat7></acrobat></config></xdp:xdp>`,
    ),
  ],
});

/** About the document as a whole: its metadata, marks, role map, layers, files and forms. */
export const metadataCases: UaCase[] = [
  ['a plain file', true, {}],
  ['5: part 2', false, identified('>1<', '>2<')],
  [
    '5: another prefix',
    false,
    identified('pdfuaid', 'ua').identification
      ? { identification: IDENTIFICATION.replaceAll('pdfuaid', 'ua') }
      : {},
  ],
  [
    '5: another prefix of an attribute',
    false,
    {
      identification:
        '<rdf:Description rdf:about="" xmlns:ua="http://www.aiim.org/pdfua/ns/id/" ua:part="1"/>',
    },
  ],
  [
    '5: an attribute',
    true,
    {
      identification:
        '<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" pdfuaid:part="1"/>',
    },
  ],
  ...['amd', 'corr'].flatMap((key): UaCase[] => [
    [
      `5: another prefix of ${key}`,
      false,
      {
        identification: IDENTIFICATION.replace(
          '</rdf',
          `<ua:${key} xmlns:ua="http://www.aiim.org/pdfua/ns/id/">2005</ua:${key}></rdf`,
        ),
      },
    ],
    [
      `5: ${key}`,
      true,
      { identification: IDENTIFICATION.replace('</rdf', `<pdfuaid:${key}>2005</pdfuaid:${key}></rdf`) },
    ],
  ]),
  ['6.1: PDF 2.0', false, { header: '%PDF-2.0' }],
  ['6.1: PDF 1.8', false, { header: '%PDF-1.8' }],
  ['6.1: a long version', false, { header: '%PDF-1.70' }],
  [
    '7.1: tagged content in an artifact',
    false,
    { content: '/Artifact BMC /P<</MCID 0>>BDC 0 0 9 9 re f EMC EMC' },
  ],
  [
    '7.1: an artifact in tagged content',
    false,
    { content: '/P<</MCID 0>>BDC /Artifact BMC 0 0 9 9 re f EMC EMC' },
  ],
  ['7.1: an empty artifact in tagged content', false, { content: '/P<</MCID 0>>BDC /Artifact BMC EMC EMC' }],
  ['7.1: content without a mark', false, { content: `${TEXT} 0 0 9 9 re f` }],
  [
    '7.1: content in a mark without an element',
    false,
    { content: `${TEXT} /P<</MCID 7>>BDC 0 0 9 9 re f EMC` },
  ],
  ['7.1: an artifact', true, { content: `${TEXT} /Artifact BMC 0 0 9 9 re f EMC` }],
  ['7.1: a circular role map', false, { root: '/RoleMap<</A/B/B/A>>', nodes: [['A']] }],
  ['7.1: a role map', true, { root: '/RoleMap<</A/B/B/P>>', nodes: [['A']] }],
  ['7.1: a standard type with another role', false, { root: '/RoleMap<</P/H1>>' }],
  ['7.1: an unknown type', false, { nodes: [['Aside']] }],
  ['7.1: suspect tags', false, { catalog: '/MarkInfo<</Marked true/Suspects true>>' }],
  ['7.10: layers without a name', false, { catalog: '/OCProperties<</OCGs[]/D<<>>>>' }],
  ['7.10: layers', true, { catalog: '/OCProperties<</OCGs[]/D<</Name(a)>>>>' }],
  [
    '7.10: other layers without a name',
    false,
    { catalog: '/OCProperties<</OCGs[]/D<</Name(a)>>/Configs[<<>>]>>' },
  ],
  ['7.10: automatic layers', false, { catalog: '/OCProperties<</OCGs[]/D<</Name(a)/AS[]>>>>' }],
  [
    '7.11: an attached file without a name',
    false,
    { catalog: '/Names<</EmbeddedFiles<</Names[(a) 14 0 R]>>>>', objects: [attached('/F(a)'), stream('a')] },
  ],
  [
    '7.11: an attached file',
    true,
    {
      catalog: '/Names<</EmbeddedFiles<</Names[(a) 14 0 R]>>>>',
      objects: [attached('/F(a)/UF(a)'), stream('a')],
    },
  ],
  [
    '7.11: an associated file without a name',
    false,
    { catalog: '/AF[14 0 R]', objects: [attached('/UF(a)'), stream('a')] },
  ],
  [
    '7.11: a file of an annotation without a name',
    false,
    annotated('/Subtype/FileAttachment/Contents(A)/FS<</Type/Filespec/F(a)/EF<</F 16 0 R>>>>', 'Annot'),
  ],
  ['7.15: a dynamic form', false, xfa('required')],
  ['7.15: a static form', true, xfa('forbidden')],
  ['7.15: no form, but rendering', true, { catalog: '/NeedsRendering true' }],
  ['7.1: no title', false, { title: '' }],
  ['6.1: bytes before the header', false, { header: 'x %PDF-1.7' }],
  ['6.1: a blank after the header', false, { header: '%PDF-1.7 ' }],
  ['7.21.7: a letter without Unicode', false, { content: TEXT.replace('(a)', '(b)') }],
];
