import { invalid, type FileValue } from '../../src/plugin.ts';
import type { MarkPosition, MarkRotation } from './finish.ts';
import type { SnippetBox } from './snippet-box.ts';

/** The fields of a watermark in a request, with the names of `options`. */
export interface WatermarkFields {
  text?: string | undefined;
  image?: FileValue | undefined;
  overlay?: FileValue | undefined;
  pages?: string | undefined;
  position?: MarkPosition | undefined;
  opacity?: number | undefined;
  offset?: { x: number; y: number } | undefined;
  margin?: number | undefined;
  rotation?: MarkRotation | undefined;
  scale?: number | undefined;
  relativeSize?: number | undefined;
  fontSize?: number | undefined;
  color?: string | undefined;
  tile?: boolean | undefined;
  layer?: 'over' | 'under' | undefined;
}

/** How a mark is drawn on pages: `Watermark` of `@platen/pdf` without the mark. */
export interface MarkSetup {
  pages: string | undefined;
  placement: {
    position: MarkPosition;
    offset: { x: number; y: number } | undefined;
    margin: number | undefined;
    rotation: MarkRotation;
    tile: boolean;
    size: { factor: number } | { largest: number; fill: number } | { side: number };
    scale: number;
  };
  opacity: number;
  layer: 'over' | 'under';
}

type Kind = 'watermark' | 'stamp';
type Mark = 'text' | 'image' | 'overlay';

/** The font size in which a mark is drawn before it is scaled. */
const DRAWN_PT = 20;
/** The area in which a mark is drawn. */
const TEXT_AREA = { widthPt: 14_000, heightPt: 1_000 };
const IMAGE_AREA = { widthPt: 1_440, heightPt: 1_440 };
const MAX_LINES = 20;
const MAX_IMAGE_BYTES = 5_000_000;

/** The maximum font size of a text without `fontSize`, and the fraction of the page that it fills at most. */
const TEXT_SIZE: Readonly<Record<Kind, { points: number; fill: number }>> = {
  watermark: { points: 144, fill: 0.8 },
  stamp: { points: 24, fill: 0.9 },
};

/** Names the field of a watermark as the request does: `fontSize` or `font_size`. */
export type NameField = (field: keyof WatermarkFields) => string;

/**
 * Returns which mark a request has.
 * @throws {AppError} VALIDATION_ERROR if it does not have exactly one, or has a field without effect.
 */
export function markOf(fields: WatermarkFields, nameField: NameField): Mark {
  const marks = (['text', 'image', 'overlay'] as const).filter((name) => fields[name] !== undefined);
  const [mark, second] = marks;
  if (mark === undefined) throw invalid(nameField('text'), 'is required, or image or overlay');
  if (second !== undefined) throw invalid(nameField(second), `cannot be combined with ${mark}`);
  if (mark !== 'text')
    for (const name of ['fontSize', 'color'] as const)
      if (fields[name] !== undefined) throw invalid(nameField(name), 'is only for text');
  if (fields.tile === true)
    for (const name of ['position', 'offset', 'margin'] as const)
      if (fields[name] !== undefined)
        throw invalid(nameField(name), 'cannot be combined with tile, which covers the page');
  if (fields.relativeSize !== undefined && fields.fontSize !== undefined)
    throw invalid(nameField('relativeSize'), `cannot be combined with ${nameField('fontSize')}`);
  if (fields.margin !== undefined && typeof fields.position === 'object')
    throw invalid(nameField('margin'), 'cannot be combined with a position that is a point');
  if (mark === 'text') requireText(fields.text ?? '', nameField('text'));
  return mark;
}

/** Returns how a mark is drawn on pages, with the defaults of its kind. */
export function setupOf(kind: Kind, fields: WatermarkFields): MarkSetup {
  const isWatermark = kind === 'watermark';
  const { points, fill } = TEXT_SIZE[kind];
  const isText = fields.text !== undefined;
  const size =
    fields.relativeSize !== undefined
      ? { side: fields.relativeSize }
      : fields.fontSize !== undefined
        ? { factor: fields.fontSize / DRAWN_PT }
        : isText
          ? { largest: points / DRAWN_PT, fill }
          : { largest: 1, fill: fields.image === undefined ? 1 : 0.9 };
  return {
    pages: fields.pages,
    placement: {
      position: fields.position ?? 'center',
      offset: fields.offset,
      margin: fields.margin,
      rotation: fields.rotation ?? (isWatermark && isText ? 45 : 0),
      tile: fields.tile ?? false,
      size,
      scale: fields.scale ?? 1,
    },
    opacity: fields.opacity ?? (isWatermark ? 0.2 : 1),
    layer: fields.layer ?? (isWatermark ? 'under' : 'over'),
  };
}

/**
 * Returns the markup of a text or an image. The link around it shows how large it is.
 * @throws {AppError} VALIDATION_ERROR for an image that is not base64 or too large.
 */
export function markBox(
  { text, image, color = '#000000' }: WatermarkFields,
  nameField: NameField,
): SnippetBox {
  if (image === undefined) return textBox(text ?? '', { color });
  const source = imageUrl(image, nameField('image'));
  const style = `display:block;max-width:${IMAGE_AREA.widthPt}pt;max-height:${IMAGE_AREA.heightPt}pt`;
  return { html: link('line-height:0', `<img alt="" src="${source}" style="${style}">`), ...IMAGE_AREA };
}

/**
 * Returns the markup of a text of {@link DRAWN_PT} points. The link around it shows how large it is, at most
 * as large as `area`.
 */
export function textBox(
  text: string,
  {
    color,
    direction = 'ltr',
    area = TEXT_AREA,
  }: { color: string; direction?: 'ltr' | 'rtl'; area?: { widthPt: number; heightPt: number } },
): SnippetBox {
  const style = `white-space:pre;line-height:1.2;font-size:${DRAWN_PT}pt;color:${color};direction:${direction}`;
  return { html: link(style, `<bdi>${Bun.escapeHTML(text)}</bdi>`), ...area };
}

function link(style: string, content: string): string {
  return `<a href="https://mark.invalid/" style="display:inline-block;text-decoration:none;${style}">${content}</a>`;
}

function requireText(text: string, field: string): void {
  if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(text)) throw invalid(field, 'must contain a visible character');
  if (text.split('\n').length > MAX_LINES) throw invalid(field, `must have at most ${MAX_LINES} lines`);
  if (/[^\P{Cc}\n]/u.test(text))
    throw invalid(field, 'must not contain control characters other than line feeds');
}

/**
 * The maximum length of an image as received. Base64 may have line breaks, and escaped slashes if it is the
 * text of a JSON string.
 */
const MAX_IMAGE_CHARACTERS = MAX_IMAGE_BYTES * 1.5;

function imageUrl(image: FileValue, field: string): string {
  const isText = typeof image === 'string' || image instanceof Uint8Array;
  const size = isText ? image.length : (image.raw.length * 4) / 3;
  const tooLarge = () => invalid(field, `is larger than ${MAX_IMAGE_BYTES} bytes`);
  if (size > MAX_IMAGE_CHARACTERS) throw tooLarge();
  const data = base64Of(image)
    .replace(/^data:image\/[a-z]{3,5};base64,/, '')
    .replaceAll('\\/', '/')
    .replaceAll(String.raw`\n`, '')
    .replaceAll(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(data)) throw invalid(field, notAnImage(data));
  if (data.length > (MAX_IMAGE_BYTES * 4) / 3 + 4) throw tooLarge();
  const mediaType = FORMATS.find(([start]) => data.startsWith(start))?.[1];
  if (mediaType === undefined) throw invalid(field, `is not ${IMAGES}`);
  return `data:${mediaType};base64,${data}`;
}

const IMAGES = 'a PNG, JPEG, WebP or GIF image';

/** Explains why a text is not an image in base64. */
function notAnImage(text: string): string {
  return text.startsWith('data:')
    ? `is a data URL of another type: send ${IMAGES} in base64`
    : `is not valid base64: send ${IMAGES} in base64`;
}

function base64Of(image: FileValue): string {
  if (typeof image === 'string') return image;
  const { buffer, byteOffset, length } = image instanceof Uint8Array ? image : image.raw;
  return Buffer.from(buffer, byteOffset, length).toString(image instanceof Uint8Array ? 'latin1' : 'base64');
}

/** The first bytes of the formats, in base64. */
const FORMATS: readonly (readonly [start: string, mediaType: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['UklGR', 'image/webp'],
  ['R0lGOD', 'image/gif'],
];
