import { FileInput, pageOf, pageQuery, Timestamp, Type, type Static } from '../../src/plugin.ts';
import { MAX_ASSET_BYTES, MAX_ASSET_NAME_CHARACTERS } from './asset-size.ts';

const Style = Type.Union([Type.Literal('normal'), Type.Literal('italic'), Type.Literal('oblique')], {
  expected: 'one of normal, italic, oblique',
  title: 'FontStyle',
  description: "The style of a font; by default the font's own.",
});

/** The body of `POST /v1/assets`. */
export const UploadBody = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_ASSET_NAME_CHARACTERS,
        expected: `a string of 1 to ${MAX_ASSET_NAME_CHARACTERS} characters`,
        description:
          'The name by which documents refer to the asset, such as `logo.png`; required in JSON, and by default the file name of the part `file`. An asset of the same name is replaced.',
      }),
    ),
    data: Type.Optional(
      FileInput({
        expected: 'a base64 string',
        description: `The content in base64, at most ${MAX_ASSET_BYTES} bytes decoded.`,
      }),
    ),
    file: Type.Optional(
      FileInput({
        expected: 'a file',
        description: `In a multipart request: the content, at most ${MAX_ASSET_BYTES} bytes.`,
      }),
    ),
    family: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        expected: 'a string of 1 to 100 characters',
        description: "The name of a font's family; by default the font's own.",
      }),
    ),
    weight: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: 1000 }), Type.String({ minLength: 1, maxLength: 9 })], {
        title: 'FontWeight',
        expected: 'a number from 1 to 1000, or two such as "100 900"',
        description: "The weight of a font, or the range of a variable font; by default the font's own.",
      }),
    ),
    style: Type.Optional(Style),
  },
  { additionalProperties: false, title: 'UploadAssetRequest' },
);

/** The query of `GET /v1/assets`. */
export const AssetQuery = pageQuery(50);

export const AssetResponse = Type.Object(
  {
    name: Type.String(),
    type: Type.String({ description: 'The media type, such as `image/png`.' }),
    file_size: Type.Integer({ description: 'Bytes.' }),
    font: Type.Union(
      [Type.Object({ family: Type.String(), weight: Type.String(), style: Type.String() }), Type.Null()],
      { description: 'How CSS selects the font; null for other assets.' },
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
    url: Type.String({ description: 'A link to the content that needs no API key, valid for 30 days.' }),
  },
  { title: 'Asset' },
);

export type AssetResponse = Static<typeof AssetResponse>;

/** A page of assets, newest first. */
export const AssetList = pageOf(AssetResponse, 'AssetList');
