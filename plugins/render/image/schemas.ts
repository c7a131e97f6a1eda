import { fieldGroup, LongText, Type, WebhookUrl, type Static } from '../../../src/plugin.ts';
import { resultFields } from '../../files/exports.ts';
import { GenerateOptions, WaitFor, sourceFields, translationFields } from '../../documents/exports.ts';
import { asyncField, ContentType, resultFieldsOfResponse } from '../schemas.ts';
import { MAX_MEGAPIXELS, MAX_SIDE_PX } from './limits.ts';
import { Warnings } from '../receipt/warnings.ts';

const Format = Type.Union(
  [Type.Literal('png'), Type.Literal('jpeg'), Type.Literal('webp'), Type.Literal('zpl')],
  {
    title: 'ImageOrLabelFormat',
    description: 'png when absent. `zpl` prints the pages as labels for a printer that understands ZPL II.',
  },
);

const Dpi = Type.Integer({
  description: 'Only for zpl: the dots per inch of the printer: 203, 300 or 600. 203 when absent.',
});

export type ImageFormat = Static<typeof Format>;

const side = (options: { minimum: number }) => Type.Integer({ ...options, maximum: 100_000 });

export const ImageOptions = Type.Object(
  {
    format: Type.Optional(Format),
    dpi: Type.Optional(Dpi),
    width: Type.Optional(
      Type.Integer({
        minimum: 16,
        maximum: 8_000,
        description: 'The width of the window in CSS pixels; 1280 when absent.',
      }),
    ),
    height: Type.Optional(
      Type.Integer({
        minimum: 16,
        maximum: 8_000,
        description:
          'The height of the window in CSS pixels; 720 when absent. The image has this height unless it shows something other than the window.',
      }),
    ),
    fullPage: Type.Optional(
      Type.Boolean({
        description:
          'true: the image shows the whole document, and at least the window. false: it shows the window. true when absent, unless `height`, `clip` or `selector` is given.',
      }),
    ),
    scale: Type.Optional(
      Type.Number({
        minimum: 1,
        maximum: 4,
        description: `The number of pixels per CSS pixel; 1 when absent. An image has at most ${MAX_MEGAPIXELS} megapixels and ${MAX_SIDE_PX} pixels per side.`,
      }),
    ),
    quality: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'Only for jpeg and webp, whose size it determines; 80 when absent.',
      }),
    ),
    transparent: Type.Optional(
      Type.Boolean({
        description:
          'true: the image is transparent where the document has no background. Only for png and webp.',
      }),
    ),
    clip: Type.Optional(
      Type.Object(
        {
          x: side({ minimum: 0 }),
          y: side({ minimum: 0 }),
          width: side({ minimum: 1 }),
          height: side({ minimum: 1 }),
        },
        {
          additionalProperties: false,
          description:
            'The rectangle of the document that the image shows, in CSS pixels from its upper left corner.',
        },
      ),
    ),
    selector: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: 'A CSS selector. The image shows the first element that it matches.',
      }),
    ),
    media: Type.Optional(
      Type.Union([Type.Literal('screen'), Type.Literal('print')], {
        description: 'The media type whose styles apply; screen when absent, and print for zpl.',
      }),
    ),
    waitFor: Type.Optional(WaitFor),
    strict: GenerateOptions.properties.strict,
    onAssetError: GenerateOptions.properties.onAssetError,
    ignoreAssetHosts: GenerateOptions.properties.ignoreAssetHosts,
  },
  { additionalProperties: false, title: 'ImageOptions' },
);

export type ImageOptions = Static<typeof ImageOptions>;

/** The body of `POST /v1/images`. */
export const ImageBody = Type.Object(
  fieldGroup('ImageFields', {
    ...sourceFields,
    ...translationFields,
    options: Type.Optional(
      Type.Union([ImageOptions, Type.Null()], { description: 'null means no options.' }),
    ),
    output: Type.Optional(
      Type.Union([Type.Literal('url'), Type.Literal('base64'), Type.Literal('binary')], {
        title: 'Output',
        description:
          'How the image is returned: JSON with a link (url, the default) or with the file in base64, or the file itself as the response (binary). By default, a request whose Accept header prefers the media type of the image to JSON gets the file.',
      }),
    ),
    ...resultFields,
    file_name: Type.Optional({
      ...resultFields.file_name,
      description:
        'The name of the file for downloads. The extension of the format is added if it is missing. Slashes, control characters and a leading dot are not allowed.',
    }),
    webhook: Type.Optional(WebhookUrl),
    ...asyncField,
  }),
  { additionalProperties: false, title: 'ImageRequest' },
);

/** The response of `POST /v1/images`: with `url`, or with `data` for `output: base64`. */
export const ImageResponse = Type.Object(
  {
    ...resultFieldsOfResponse,
    content_type: ContentType,
    url: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    data: Type.Optional(LongText({ expected: 'base64', description: 'The image in base64.' })),
    warnings: Warnings,
  },
  { title: 'ImageResponse' },
);
