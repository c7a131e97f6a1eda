import { fieldGroup, FileInput, nullable, Type, type Static } from '../../src/plugin.ts';
import type { OfficeOptions } from './conversion-options.ts';

const Switch = (description: string) => Type.Optional(Type.Boolean({ description }));

const Watermark = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: 500 }),
    tiled: Switch('Repeats the text over the page. Only the text then has an effect. The default is false.'),
    color: Type.Optional(
      Type.String({
        pattern: '^#[0-9A-Fa-f]{6}$',
        expected: 'a color such as #80FF80',
        description: 'The default is #80FF80.',
      }),
    ),
    font_size: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        description: 'In points. By default, as large as the page permits.',
      }),
    ),
    angle: Type.Optional(
      Type.Integer({ minimum: -360, maximum: 360, description: 'In degrees, counter-clockwise.' }),
    ),
    font_name: Type.Optional(Type.String({ maxLength: 100, description: 'The default is Helvetica.' })),
  },
  {
    additionalProperties: false,
    title: 'OfficeWatermark',
  },
);

const choice = <const T extends readonly string[]>(names: T, description: string) =>
  Type.Optional(
    Type.Union(
      names.map((name) => Type.Literal(name as T[number])),
      { description },
    ),
  );

const View = Type.Object(
  {
    panel: choice(['none', 'outline', 'thumbnails'], 'The panel beside the pages. The default is none.'),
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 50_000, description: 'The page that opens.' })),
    magnification: choice(
      ['default', 'page', 'width', 'visible', 'zoom'],
      'The default is that of the viewer.',
    ),
    zoom: Type.Optional(
      Type.Integer({
        minimum: 50,
        maximum: 1_600,
        description: 'In percent; with the magnification `zoom`.',
      }),
    ),
    layout: choice(['default', 'single', 'continuous', 'two-columns'], 'The default is that of the viewer.'),
    first_page_on_left: Switch('With the layout `two-columns`. The default is false.'),
    resize_window: Type.Optional(Type.Boolean()),
    center_window: Type.Optional(Type.Boolean()),
    full_screen: Switch('Opens the PDF on the whole screen. The default is false.'),
    show_title: Switch('Shows the title instead of the file name. The default is true.'),
    hide_menubar: Type.Optional(Type.Boolean()),
    hide_toolbar: Type.Optional(Type.Boolean()),
    hide_window_controls: Type.Optional(Type.Boolean()),
    open_outline_levels: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10,
        description: 'The open levels of the outline. By default, all.',
      }),
    ),
  },
  { additionalProperties: false, title: 'OfficeView', description: 'How viewers show the PDF at first.' },
);

const file = FileInput({
  title: 'OfficeFile',
  expected: 'a document as a file part, a base64 string or an id',
  description:
    'A document: docx, xlsx, pptx, odt, ods, odp, doc, xls, ppt, rtf, txt, csv, vsdx, svg, png, jpeg and others; in JSON as base64. Or the id of an uploaded file: `file_…`.',
});

/** The options of a conversion, which stand beside the file and the properties of the result. */
const optionFields = fieldGroup('ConversionOptions', {
  file_type: Type.Optional(
    Type.String({
      maxLength: 20,
      description:
        'The ending of the type, such as `csv`, if neither the content nor the name of the file tells it.',
    }),
  ),
  password: Type.Optional(Type.String({ maxLength: 1_000, description: 'Opens an encrypted document.' })),
  pages: Type.Optional(
    Type.String({ maxLength: 3_000, description: 'Only these pages, such as `1-3,5,8-`.' }),
  ),
  landscape: Switch('Turns all pages of a text or spreadsheet to landscape (true) or portrait (false).'),
  single_page_sheets: Switch('Prints each sheet of a spreadsheet on one page. The default is false.'),
  quality: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'The quality of JPEG images. The default is 90.' }),
  ),
  lossless_images: Switch('Stores images without loss instead of as JPEG. The default is false.'),
  image_dpi: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 10,
        maximum: 1_200,
        description: 'Reduces images to this number of pixels per inch; null keeps them. The default is 300.',
      }),
    ),
  ),
  update_indexes: Switch('Updates tables of contents before the conversion. The default is false.'),
  form_fields: Switch('Makes form fields fillable. Otherwise, they are drawn. The default is true.'),
  duplicate_field_names: Switch('Lets several form fields share a name. The default is false.'),
  outline: Switch('Makes an outline from headings, sheets or slides. The default is true.'),
  named_destinations: Switch('Makes bookmarks named destinations. The default is false.'),
  convert_links_to_pdf: Switch(
    'Links to other documents end in `.pdf` instead of the ending of a document. The default is false.',
  ),
  placeholders: Switch('Draws placeholder fields of a text. The default is false.'),
  comments: Switch('Makes comments annotations. The default is false.'),
  comments_in_margin: Switch('Prints comments of a text in the margin. The default is false.'),
  notes_pages: Switch('Adds a page with notes for each slide. The default is false.'),
  only_notes_pages: Switch('Makes pages with notes only. The default is false.'),
  hidden_slides: Switch('Includes hidden slides. The default is false.'),
  skip_empty_pages: Switch('Omits blank pages that LibreOffice has inserted. The default is true.'),
  embed_original: Switch('Embeds the document in the PDF, in an OpenDocument format. The default is false.'),
  transitions: Switch('Keeps the transitions of slides. The default is true.'),
  watermark: Type.Optional(Watermark),
  view: Type.Optional(View),
});

/** The file of a conversion and its options: the fields of a request that contains one. */
export const conversionFields = { file, ...optionFields };

const conversion = Type.Object(conversionFields);

/** The options of a request. */
type WireOptions = Partial<Static<typeof conversion>>;

/** Converts the options of a request. */
export function readConversion({ watermark, view, ...fields }: WireOptions): OfficeOptions {
  return {
    pages: fields.pages,
    landscape: fields.landscape,
    singlePageSheets: fields.single_page_sheets,
    quality: fields.quality,
    losslessImages: fields.lossless_images,
    imageDpi: fields.image_dpi,
    updateIndexes: fields.update_indexes,
    formFields: fields.form_fields,
    duplicateFieldNames: fields.duplicate_field_names,
    outline: fields.outline,
    namedDestinations: fields.named_destinations,
    convertLinksToPdf: fields.convert_links_to_pdf,
    placeholders: fields.placeholders,
    comments: fields.comments,
    commentsInMargin: fields.comments_in_margin,
    notesPages: fields.notes_pages,
    onlyNotesPages: fields.only_notes_pages,
    hiddenSlides: fields.hidden_slides,
    skipEmptyPages: fields.skip_empty_pages,
    embedOriginal: fields.embed_original,
    transitions: fields.transitions,
    watermark: watermark && {
      text: watermark.text,
      tiled: watermark.tiled,
      color: watermark.color === undefined ? undefined : Number.parseInt(watermark.color.slice(1), 16),
      fontSize: watermark.font_size,
      angle: watermark.angle,
      fontName: watermark.font_name,
    },
    view: view && {
      panel: view.panel,
      page: view.page,
      magnification: view.magnification,
      zoom: view.zoom,
      layout: view.layout,
      firstPageOnLeft: view.first_page_on_left,
      resizeWindow: view.resize_window,
      centerWindow: view.center_window,
      fullScreen: view.full_screen,
      showTitle: view.show_title,
      hideMenubar: view.hide_menubar,
      hideToolbar: view.hide_toolbar,
      hideWindowControls: view.hide_window_controls,
      openOutlineLevels: view.open_outline_levels,
    },
  };
}
