import { stream } from '../../../packages/pdf/tests/plain-pdf.ts';
import { TEXT, titleIn, type TaggedFile, type UaCase } from './tagged-file.ts';

/** A file without a language in its catalog, whose text has one. */
const SILENT: TaggedFile = { language: null, title: titleIn('en'), paragraph: '/Lang(en)' };
/** A file with an annotation as object 14 in an element of a type. */
const annotated = (annotation: string, type = 'Annot', more: TaggedFile = {}): TaggedFile => ({
  page: '/Annots[14 0 R]',
  objects: [`<</Type/Annot/Rect[9 9 20 20]/StructParent 1${annotation}>>`],
  nodes: [[type, '/Pg 3 0 R/K<</Type/OBJR/Obj 14 0 R>>']],
  parents: ' 1 15 0 R',
  ...more,
});
const FORM = '/Type/XObject/Subtype/Form/BBox[0 0 9 9]';

/** About natural languages (7.2). */
export const languageCases: UaCase[] = [
  ['7.2: an invalid language', false, { language: 'en_US' }],
  ['7.2: an empty language', false, { language: '' }],
  ['7.2: an invalid language of an element', false, { nodes: [['P', '/Lang(e n)']] }],
  ['7.2: an empty language of an element', false, { nodes: [['P', '/Lang()']] }],
  [
    '7.2: an invalid language of content',
    false,
    { content: `${TEXT.replace('BT', '/Span<</Lang(e n)>>BDC BT')} EMC` },
  ],
  ['7.2: a language of content', true, { content: `${TEXT.replace('BT', '/Span<</Lang(de)>>BDC BT')} EMC` }],
  ['7.2: no language', false, { language: null, title: titleIn('en') }],
  ['7.2: a language of the paragraph', true, SILENT],
  ['7.2: a default title without a language', false, { ...SILENT, title: titleIn('x-default') }],
  [
    '7.2: a language of the content',
    true,
    { ...SILENT, paragraph: '', content: `${TEXT.replace('BT', '/Span<</Lang(de)>>BDC BT')} EMC` },
  ],
  [
    '7.2: an artifact without a language',
    false,
    { ...SILENT, content: `${TEXT} /Artifact BMC BT /F 9 Tf (a)Tj ET EMC` },
  ],
  ...['ActualText', 'Alt', 'E'].flatMap((key): UaCase[] => [
    [`7.2: ${key} of an element without a language`, false, { ...SILENT, nodes: [['Span', `/${key}(a)`]] }],
    [
      `7.2: ${key} of an element with a language`,
      true,
      { ...SILENT, nodes: [['Span', `/Lang(de)/${key}(a)`]] },
    ],
    [
      `7.2: ${key} of an element in one with a language`,
      true,
      { ...SILENT, nodes: [['P', '/Lang(de)', ['Span', `/${key}(a)`]]] },
    ],
    [
      `7.2: ${key} of content without a language`,
      false,
      { ...SILENT, paragraph: '', content: `/P<</MCID 0>>BDC /Span<</${key}(a)>>BDC 0 0 9 9 re f EMC EMC` },
    ],
    [
      `7.2: ${key} of content with a language`,
      true,
      {
        ...SILENT,
        paragraph: '',
        content: `/P<</MCID 0>>BDC /Span<</Lang(de)/${key}(a)>>BDC 0 0 9 9 re f EMC EMC`,
      },
    ],
    [
      `7.2: ${key} of content in an element with a language`,
      true,
      { ...SILENT, content: `/P<</MCID 0>>BDC /Span<</${key}(a)>>BDC 0 0 9 9 re f EMC EMC` },
    ],
  ]),
  [
    '7.2: bookmarks without a language',
    false,
    {
      ...SILENT,
      catalog: '/Outlines 14 0 R',
      objects: [
        '<</Type/Outlines/First 15 0 R/Last 15 0 R/Count 1>>',
        '<</Title(A)/Parent 14 0 R/Dest[3 0 R/Fit]>>',
      ],
    },
  ],
  [
    '7.2: bookmarks',
    true,
    {
      catalog: '/Outlines 14 0 R',
      objects: [
        '<</Type/Outlines/First 15 0 R/Last 15 0 R/Count 1>>',
        '<</Title(A)/Parent 14 0 R/Dest[3 0 R/Fit]>>',
      ],
    },
  ],
  ['7.2: no bookmarks, without a language', true, { ...SILENT, catalog: '/Outlines<</Type/Outlines>>' }],
  ['7.2: an annotation without a language', false, annotated('/Subtype/Square/Contents(A)', 'Annot', SILENT)],
  [
    '7.2: an annotation with a language',
    true,
    annotated('/Subtype/Square/Contents(A)', 'Annot', {
      ...SILENT,
      nodes: [['Annot', '/Lang(de)/Pg 3 0 R/K<</Type/OBJR/Obj 14 0 R>>']],
    }),
  ],
  [
    '7.2: a form field without a language',
    false,
    annotated('/Subtype/Widget/FT/Tx/T(a)/TU(A)', 'Form', {
      ...SILENT,
      catalog: '/AcroForm<</Fields[14 0 R]>>',
    }),
  ],
  [
    '7.2: a form field with a language',
    true,
    annotated('/Subtype/Widget/FT/Tx/T(a)/TU(A)', 'Form', {
      ...SILENT,
      catalog: '/AcroForm<</Fields[14 0 R]>>',
      nodes: [['Form', '/Lang(de)/Pg 3 0 R/K<</Type/OBJR/Obj 14 0 R>>']],
    }),
  ],
  [
    '7.2: an appearance without a language',
    true,
    annotated('/Subtype/Square/AP<</N 15 0 R>>', 'Annot', {
      ...SILENT,
      nodes: [['Annot', '/Alt(A)/Lang(de)/Pg 3 0 R/K<</Type/OBJR/Obj 14 0 R>>']],
      objects: [
        '<</Type/Annot/Rect[9 9 20 20]/StructParent 1/Subtype/Square/AP<</N 15 0 R>>>>',
        stream('BT /F 9 Tf (a)Tj ET', `${FORM}/Resources<</Font<</F 9 0 R>>>>`),
      ],
      parents: ' 1 16 0 R',
    }),
  ],
  [
    '7.2: text in a form without a language',
    false,
    {
      ...SILENT,
      resources: '/XObject<</X 14 0 R>>',
      content: `${TEXT} /Artifact BMC /X Do EMC`,
      objects: [stream('BT /F 9 Tf (a)Tj ET', `${FORM}/Resources<</Font<</F 9 0 R>>>>`)],
    },
  ],
  [
    '7.2: text in a form in an element with a language',
    false,
    {
      ...SILENT,
      resources: '/XObject<</X 14 0 R>>',
      content: '/P<</MCID 0>>BDC /X Do EMC',
      objects: [stream('BT /F 9 Tf (a)Tj ET', `${FORM}/Resources<</Font<</F 9 0 R>>>>`)],
    },
  ],
  [
    '7.2: text in a form in content with a language',
    false,
    {
      ...SILENT,
      resources: '/XObject<</X 14 0 R>>',
      content: '/P<</MCID 0>>BDC /Span<</Lang(de)>>BDC /X Do EMC EMC',
      objects: [stream('BT /F 9 Tf (a)Tj ET', `${FORM}/Resources<</Font<</F 9 0 R>>>>`)],
    },
  ],
  [
    '7.2: text in a form with a language of its own',
    true,
    {
      ...SILENT,
      resources: '/XObject<</X 14 0 R>>',
      content: '/P<</MCID 0>>BDC /X Do EMC',
      objects: [
        stream('/Span<</Lang(de)>>BDC BT /F 9 Tf (a)Tj ET EMC', `${FORM}/Resources<</Font<</F 9 0 R>>>>`),
      ],
    },
  ],
  [
    '7.2: an empty language of content',
    false,
    { content: `${TEXT.replace('BT', '/Span<</Lang()>>BDC BT')} EMC` },
  ],
  [
    '7.2: two languages of the title',
    true,
    {
      ...SILENT,
      title: titleIn('en').replace('</rdf:Alt>', '<rdf:li xml:lang="de">Titel</rdf:li></rdf:Alt>'),
    },
  ],
  [
    '7.2: a default description without a language',
    false,
    { ...SILENT, title: `${titleIn('en')}${titleIn('x-default').replaceAll('dc:title', 'dc:description')}` },
  ],
];
