import { stream } from '../../../packages/pdf/tests/plain-pdf.ts';
import { TEXT, type TaggedFile, type UaCase } from './tagged-file.ts';

/** A file with an annotation as object 14 in an element of a type. */
const annotated = (annotation: string, type = 'Annot', more: TaggedFile = {}): TaggedFile => ({
  page: '/Annots[14 0 R]',
  objects: [`<</Type/Annot/Rect[9 9 20 20]/StructParent 1${annotation}>>`],
  nodes: [[type, '/Pg 3 0 R/K<</Type/OBJR/Obj 14 0 R>>']],
  parents: ' 1 15 0 R',
  ...more,
});
/** A file with a movie, as object 14, that a media clip as object 15 describes. */
const media = (clip: string): TaggedFile => ({
  page: '/Annots[14 0 R]',
  objects: [
    '<</Type/Annot/Subtype/Screen/Contents(Film)/Rect[9 9 20 20]/StructParent 1/A<</S/Rendition/OP 0/AN 14 0 R/R<</S/MR/C 15 0 R>>>>>>',
    `<</Type/MediaClip/S/MCD/D<</Type/Filespec/F(a.mp4)/UF(a.mp4)>>${clip}>>`,
  ],
  nodes: [['Annot', '/Pg 3 0 R/K<</Type/OBJR/Obj 14 0 R>>']],
  parents: ' 1 16 0 R',
});
const FORM = '/Type/XObject/Subtype/Form/BBox[0 0 9 9]';

/** About annotations and form XObjects (7.18, 7.20). */
export const annotationsCases: UaCase[] = [
  [
    '7.18.1: an annotation outside of the structure',
    false,
    { page: '/Annots[14 0 R]', objects: ['<</Type/Annot/Subtype/Square/Contents(A)/Rect[9 9 20 20]>>'] },
  ],
  ['7.18.1: an annotation in a paragraph', false, annotated('/Subtype/Square/Contents(A)', 'P')],
  ['7.18.1: an annotation', true, annotated('/Subtype/Square/Contents(A)')],
  ['7.18.1: an annotation without a description', false, annotated('/Subtype/Square')],
  ['7.18.1: a hidden annotation', true, annotated('/Subtype/Square/F 2')],
  ['7.18.1: a pop-up', true, annotated('/Subtype/Popup/Contents(A)')],
  [
    '7.18.1: a pop-up outside of the structure',
    false,
    { page: '/Annots[14 0 R]', objects: ['<</Type/Annot/Subtype/Popup/Rect[9 9 20 20]>>'] },
  ],
  [
    '7.18.1: a form field without a description',
    false,
    annotated('/Subtype/Widget/FT/Tx/T(a)', 'Form', { catalog: '/AcroForm<</Fields[14 0 R]>>' }),
  ],
  ['7.18.2: a trap network', false, annotated('/Subtype/TrapNet/Contents(A)')],
  [
    '7.18.3: another tab order',
    false,
    annotated('/Subtype/Square/Contents(A)', 'Annot', { page: '/Tabs/R/Annots[14 0 R]' }),
  ],
  [
    '7.18.4: a form field in a paragraph',
    false,
    annotated('/Subtype/Widget/FT/Tx/T(a)/TU(A)', 'P', { catalog: '/AcroForm<</Fields[14 0 R]>>' }),
  ],
  ['7.18.4: a form without a field', false, { nodes: [['Form']] }],
  ['7.18.4: a form with a role', true, { nodes: [['Form', '/A<</O/PrintField/Role/tv>>']] }],
  ['7.18.5: a link in a paragraph', false, annotated('/Subtype/Link/Contents(A)', 'P')],
  ['7.18.5: a link without a description', false, annotated('/Subtype/Link', 'Link')],
  ['7.18.5: a link', true, annotated('/Subtype/Link/Contents(A)', 'Link')],
  ['7.18.6.2: a film', true, media('/CT(video/mp4)/Alt[()(A film)]')],
  ['7.18.6.2: a film without a type', false, media('/Alt[()(A film)]')],
  ['7.18.6.2: a film without a description', false, media('/CT(video/mp4)')],
  ['7.18.6.2: a film with an odd description', false, media('/CT(video/mp4)/Alt[(en)]')],
  ['7.18.6.2: a film with an empty description', false, media('/CT(video/mp4)/Alt[()()]')],
  [
    '7.18.8: a printer’s mark in the structure',
    false,
    annotated('/Subtype/PrinterMark/Contents(A)', 'Annot'),
  ],
  [
    '7.18.8: a printer’s mark',
    true,
    { page: '/Annots[14 0 R]', objects: ['<</Type/Annot/Subtype/PrinterMark/Contents(A)/Rect[9 9 20 20]>>'] },
  ],
  [
    '7.18.8: a printer’s mark without a description',
    false,
    { page: '/Annots[14 0 R]', objects: ['<</Type/Annot/Subtype/PrinterMark/Rect[9 9 20 20]>>'] },
  ],
  ['7.18.1: a printed annotation without a description', false, annotated('/Subtype/Square/F 4')],
  [
    '7.18.1: an annotation whose element has an alternative',
    true,
    annotated('/Subtype/Square', 'Annot', {
      nodes: [['Annot', '/Alt(A)/Pg 3 0 R/K<</Type/OBJR/Obj 14 0 R>>']],
    }),
  ],
  [
    '7.18.1: a form field whose element has an alternative',
    true,
    annotated('/Subtype/Widget/FT/Tx/T(a)', 'Form', {
      catalog: '/AcroForm<</Fields[14 0 R]>>',
      nodes: [['Form', '/Alt(A)/Pg 3 0 R/K<</Type/OBJR/Obj 14 0 R>>']],
    }),
  ],
  [
    '7.20: a reference to another file',
    false,
    {
      resources: '/XObject<</X 14 0 R>>',
      content: `${TEXT} /Artifact BMC /X Do EMC`,
      objects: [stream('0 0 9 9 re f', `${FORM}/Ref<<>>`)],
    },
  ],
  [
    '7.20: a reference in an appearance',
    false,
    annotated('/Subtype/Square/Contents(A)/AP<</N 16 0 R>>', 'Annot', {
      nodes: [['Annot', '/Pg 3 0 R/K<</Type/OBJR/Obj 14 0 R>>']],
      objects: [
        '<</Type/Annot/Rect[9 9 20 20]/StructParent 1/Subtype/Square/Contents(A)/AP<</N 15 0 R>>>>',
        stream('0 0 9 9 re f', `${FORM}/Ref<<>>`),
      ],
      parents: ' 1 16 0 R',
    }),
  ],
  [
    '7.20: tags in a form that is drawn twice',
    false,
    {
      resources: '/XObject<</X 14 0 R>>',
      content: '/X Do /X Do',
      objects: [stream('/P<</MCID 0>>BDC 0 0 9 9 re f EMC', `${FORM}/StructParents 1`)],
      nodes: [['P', '/Pg 3 0 R/K<</Type/MCR/Stm 14 0 R/MCID 0>>']],
      parents: ' 1[15 0 R]',
    },
  ],
  [
    '7.20: tags in a form',
    true,
    {
      resources: '/XObject<</X 14 0 R>>',
      content: '/X Do',
      objects: [stream('/P<</MCID 0>>BDC 0 0 9 9 re f EMC', `${FORM}/StructParents 1`)],
      nodes: [['P', '/Pg 3 0 R/K<</Type/MCR/Stm 14 0 R/MCID 0>>']],
      parents: ' 1[15 0 R]',
    },
  ],
];
