import { decodeDataUrl } from '@platen/pdf/base64';
import type { FileValue, TaskResult } from '../../src/plugin.ts';
import { AssetFault, determineType } from './asset-type.ts';
import type { AssetFileType, AssetFont } from './contract.ts';
import { MAX_ASSET_BYTES } from './asset-size.ts';
import { FontFault } from './fonts/font-fault.ts';
import { readFont } from './fonts/read-font.ts';
import {
  fontValues,
  namesFamily,
  visitJson,
  visitStyleSheet,
  visitTemplate,
  type Visitor,
} from './references.ts';

// The functions in this file run in the sandbox.

export interface UploadedAsset {
  name: string;
  file: FileValue;
}

export interface InspectedAsset {
  type: AssetFileType;
  /** The content, if it was sent as text; `undefined` if it was sent as bytes. */
  decoded: Uint8Array | undefined;
  font: AssetFont | null;
}

/**
 * Determines the type of an upload, and reads the properties of a font. A failure names the field in `part`.
 */
export function inspectAsset({ name, file }: UploadedAsset): TaskResult<InspectedAsset> {
  try {
    const isText = typeof file === 'string' || file instanceof Uint8Array;
    const content = isText ? decode(file) : file.raw;
    if (content.length === 0) throw new AssetFault('file', 'is empty');
    if (content.length > MAX_ASSET_BYTES)
      throw new AssetFault('file', `has ${content.length} bytes; an asset has at most ${MAX_ASSET_BYTES}`);
    const type = determineType(name, content);
    const isFont = type === 'woff2' || type === 'ttf' || type === 'otf';
    const font = isFont ? readFont(content) : null;
    return { ok: true, value: { type, decoded: isText ? content : undefined, font } };
  } catch (error) {
    if (error instanceof FontFault)
      return { ok: false, code: 'INVALID_INPUT', message: error.message, part: 'file' };
    if (!(error instanceof AssetFault)) throw error;
    return { ok: false, code: 'INVALID_INPUT', message: error.message, part: error.field };
  }
}

function decode(text: string | Uint8Array): Uint8Array {
  const decoded = decodeDataUrl(text);
  if (!decoded) throw new AssetFault('file', 'is not valid base64');
  return decoded;
}

/** `asset:` at the start of a URL in CSS: in `url()`, `src()`, `@import` and the strings of `image-set()`. */
const ASSET_IN_CSS = /((?:url\(|src\(|@import|image-set\()\s*["']?)asset:/gi;

/**
 * Replaces `asset:` at the start of the URLs of a style sheet with a base URL. Chromium loads fonts only over
 * http and https, so it would not request a font from an `asset:` URL.
 */
export function rewriteStyleSheet({ css, base }: { css: Uint8Array; base: string }): Uint8Array {
  return Buffer.from(new TextDecoder().decode(css).replace(ASSET_IN_CSS, `$1${base}`));
}

/**
 * A text that can refer to assets: the HTML of a template with its options and sample data as JSON, or a
 * style sheet.
 */
export interface ReferringText {
  kind: 'template' | 'css';
  text: Uint8Array;
  json: readonly (string | null)[];
}

/** The references of a text. */
export interface References {
  /** The names of existing assets. */
  names: string[];
  /** Names without an asset. */
  missing: string[];
  /** References whose names contain variables. */
  dynamic: string[];
}

/** How many references without an asset are returned. */
const MAX_LISTED = 20;

/** Finds the assets that a text refers to, by their names, or by the families of fonts. */
export function findReferences({
  assets,
  ...parts
}: ReferringText & { assets: readonly { name: string; family: string | undefined }[] }): References {
  const known = new Set(assets.map(({ name }) => name));
  const names = new Set<string>();
  const missing = new Set<string>();
  const dynamic = new Set<string>();
  visit(parts, {
    isAsset: (name) => known.has(name),
    found(name) {
      names.add(name);
      return name;
    },
    missing: (name) => missing.size < MAX_LISTED && missing.add(name),
    dynamic: (reference) => dynamic.size < MAX_LISTED && dynamic.add(reference),
  });
  const values = fontValues([new TextDecoder().decode(parts.text), ...parts.json].join('\n'));
  for (const { name, family } of assets)
    if (family !== undefined && namesFamily(values, family)) names.add(name);
  return { names: [...names], missing: [...missing], dynamic: [...dynamic] };
}

/** Replaces the names of assets in a text: `from` by `to`. */
export function renameReferences({
  renames,
  ...parts
}: ReferringText & { renames: readonly { from: string; to: string }[] }): Pick<
  ReferringText,
  'text' | 'json'
> {
  const names = new Map(renames.map(({ from, to }) => [from, to]));
  return visit(parts, { isAsset: (name) => names.has(name), found: (name) => names.get(name) ?? name });
}

function visit({ kind, text, json }: ReferringText, visitor: Visitor): Pick<ReferringText, 'text' | 'json'> {
  const decoded = new TextDecoder('utf-8', { ignoreBOM: true }).decode(text);
  const visited = kind === 'css' ? visitStyleSheet(decoded, visitor) : visitTemplate(decoded, visitor);
  return { text: Buffer.from(visited), json: json.map((value) => value && visitJson(value, visitor)) };
}
