import { fieldGroup, Type, type Static } from '../../src/plugin.ts';

const MAX_TEXT = 2_000;
const MAX_KEYWORDS = 100;
const MAX_KEYWORD = 100;

const text = (name: string) =>
  Type.String({
    maxLength: MAX_TEXT,
    expected: `a string of at most ${MAX_TEXT} characters`,
    description: `The ${name} of the document.`,
  });

const Keyword = Type.String({
  minLength: 1,
  maxLength: MAX_KEYWORD,
  pattern: '^[^,;]*$',
  expected: `a string of 1 to ${MAX_KEYWORD} characters without commas and semicolons`,
});

/** The schemas of the properties of a document that a caller can set. */
export const propertySchemas = {
  title: text('title'),
  author: text('author'),
  subject: text('subject'),
  keywords: Type.Array(Keyword, { title: 'Keywords', maxItems: MAX_KEYWORDS }),
  language: Type.String({
    maxLength: 100,
    pattern: '^([A-Za-z]{1,8}(-[A-Za-z0-9]{1,8}){0,20})?$',
    expected: 'a language tag such as "en-GB"',
    description: 'The language of the document (BCP 47), such as "en-GB".',
  }),
};

export const DocumentProperties = Type.Object(
  {
    title: Type.Optional(propertySchemas.title),
    author: Type.Optional(propertySchemas.author),
    subject: Type.Optional(propertySchemas.subject),
    keywords: Type.Optional(propertySchemas.keywords),
    language: Type.Optional(propertySchemas.language),
  },
  {
    additionalProperties: false,
    title: 'DocumentProperties',
    description:
      'Properties of the PDF, in its information dictionary and XMP metadata. By default, the title is that of the document. An empty value removes a property.',
  },
);

const MAX_POINTS = 14_400;
/** The places of a mark on a page. */
const PLACES = [
  'center',
  'top',
  'bottom',
  'left',
  'right',
  'top-left',
  'top-right',
  'bottom-left',
  'bottom-right',
] as const;

const Coordinate = Type.Number({ minimum: -MAX_POINTS, maximum: MAX_POINTS });

/** An angle, or along a diagonal of the page. */
const Rotation = Type.Union(
  [Type.Number({ minimum: -360, maximum: 360 }), Type.Literal('diagonal-up'), Type.Literal('diagonal-down')],
  {
    title: 'MarkRotation',
    expected: 'a number from -360 to 360, "diagonal-up" or "diagonal-down"',
    description:
      'Degrees counterclockwise; or along the diagonal of the page that goes up or down from the left.',
  },
);

/** The rotation of a mark in a request. */
export type MarkRotation = Static<typeof Rotation>;

const Position = Type.Union(
  [
    Type.Union(PLACES.map((place) => Type.Literal(place))),
    Type.Object({ x: Coordinate, y: Coordinate }, { title: 'MarkPoint', additionalProperties: false }),
  ],
  {
    title: 'MarkPosition',
    expected: `one of ${PLACES.join(', ')}, or { x, y }`,
    description:
      'A place on the page, center when absent; or the lower left corner of the mark, in points from the lower left corner of the page as displayed.',
  },
);

/** The position of a mark in a request. */
export type MarkPosition = Static<typeof Position>;

/** The schemas of the fields of a watermark or stamp, except the image and the overlay. */
export const markSchemas = {
  text: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'Text in any script. A line feed starts a new line.',
  }),
  pages: Type.String({
    minLength: 1,
    maxLength: 10_000,
    description: 'The pages that get the mark, such as "1-3, 5, 9-". All pages when absent.',
  }),
  position: Position,
  opacity: Type.Number({ minimum: 0, maximum: 1, description: 'From 0, invisible, to 1, opaque.' }),
  offset: Type.Object(
    { x: Coordinate, y: Coordinate },
    {
      title: 'MarkOffset',
      additionalProperties: false,
      description: 'Moves the mark from its position, in points to the right and up.',
    },
  ),
  margin: Type.Number({
    minimum: 0,
    maximum: 1_000,
    description: 'The distance from the edges of the page in points; 24 when absent.',
  }),
  rotation: Rotation,
  scale: Type.Number({ minimum: 0.01, maximum: 100, description: 'Multiplies the size; 1 when absent.' }),
  relativeSize: Type.Number({
    minimum: 0.001,
    maximum: 10,
    description:
      'The size as a fraction of the page, before the mark is turned: of the width for a mark that is wider than high, otherwise of the height.',
  }),
  fontSize: Type.Number({
    minimum: 1,
    maximum: 2_000,
    description:
      'The size of the text in points. By default, a watermark fills the page, up to 144 points, and a stamp has 24 points.',
  }),
  color: Type.String({
    title: 'TextColor',
    pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$',
    expected: 'a colour such as "#c00" or "#cc0000"',
    description: 'The colour of the text, such as "#cc0000"; black when absent.',
  }),
  tile: Type.Boolean({ description: 'true: repeat the mark over the whole page.' }),
  layer: Type.Union([Type.Literal('over'), Type.Literal('under')], {
    title: 'MarkLayer',
    description: 'Whether the mark is drawn over or under the content of the page.',
  }),
};

const {
  text: markText,
  pages,
  position,
  offset,
  margin,
  opacity,
  rotation,
  scale,
  relativeSize,
  fontSize,
  color,
  tile,
  layer,
} = markSchemas;

/** The optional fields that a watermark has in options and in requests alike. */
export const markFields = fieldGroup('MarkFields', {
  text: Type.Optional(markText),
  pages: Type.Optional(pages),
  position: Type.Optional(position),
  offset: Type.Optional(offset),
  margin: Type.Optional(margin),
  opacity: Type.Optional(opacity),
  rotation: Type.Optional(rotation),
  scale: Type.Optional(scale),
  color: Type.Optional(color),
  tile: Type.Optional(tile),
  layer: Type.Optional(layer),
});

export const WatermarkOption = Type.Object(
  {
    text: markFields.text,
    image: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 7_000_000,
        description: 'A PNG, JPEG, WebP or GIF image in base64, up to 5,000,000 bytes.',
      }),
    ),
    overlay: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 7_000_000,
        description:
          'A PDF in base64, up to 5,000,000 bytes, or the id of a generation or file (`gen_…`, `file_…`). Each page of the document gets one of its pages, and the last is repeated.',
      }),
    ),
    pages: markFields.pages,
    position: markFields.position,
    offset: markFields.offset,
    margin: markFields.margin,
    opacity: markFields.opacity,
    rotation: markFields.rotation,
    scale: markFields.scale,
    relativeSize: Type.Optional(relativeSize),
    fontSize: Type.Optional(fontSize),
    color: markFields.color,
    tile: markFields.tile,
    layer: markFields.layer,
  },
  {
    additionalProperties: false,
    title: 'WatermarkOptions',
    description:
      'A text, an image or a PDF to draw on the pages: by default under the content, centred, with an opacity of 0.2, and text at 45°.',
  },
);

/** The schemas of the fields of an attachment, except its content. */
export const attachmentSchemas = {
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: String.raw`^(?![. ]*$)[^/\\\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+$`,
    expected:
      'a file name of 1 to 200 characters, not only dots and spaces, without slashes, backslashes and control characters',
    description:
      'The name of the file, which no other attachment of the PDF has. Slashes, control characters, and names of only dots and spaces are not allowed.',
  }),
  mimeType: Type.String({
    pattern: '^[A-Za-z0-9!#$&^_.+-]{1,100}/[A-Za-z0-9!#$&^_.+-]{1,100}$',
    expected: 'a media type such as "text/csv"',
    description: 'The media type, such as "text/csv"; application/octet-stream when absent.',
  }),
  description: Type.String({ maxLength: 1_000, description: 'The description that readers show.' }),
  relationship: Type.Union(
    (['source', 'data', 'alternative', 'supplement', 'unspecified'] as const).map((value) =>
      Type.Literal(value),
    ),
    {
      title: 'AttachmentRelationship',
      description:
        'How the attachment is related to the document (ISO 32000-2 table 43); unspecified when absent.',
    },
  ),
};

export const AttachmentsOption = Type.Array(
  Type.Object(
    {
      name: attachmentSchemas.name,
      data: Type.String({ maxLength: 34_000_000, description: 'The content in base64.' }),
      mimeType: Type.Optional(attachmentSchemas.mimeType),
      description: Type.Optional(attachmentSchemas.description),
      relationship: Type.Optional(attachmentSchemas.relationship),
    },
    { additionalProperties: false, title: 'Attachment' },
  ),
  {
    maxItems: 100,
    description: 'Files to attach to the PDF: up to 100 files with 25,000,000 bytes together.',
  },
);
