/** The type of an asset, which is also a part of the id of its file. */
export type AssetFileType =
  | 'png'
  | 'jpeg'
  | 'gif'
  | 'webp'
  | 'avif'
  | 'svg'
  | 'css'
  | 'woff2'
  | 'ttf'
  | 'otf';

/** The font in an asset, as CSS describes it. */
export interface AssetFont {
  family: string;
  /** A weight from 1 to 1000; for a variable font, the lowest and highest: `100 900`. */
  weight: string;
  style: 'normal' | 'italic' | 'oblique';
}

/** A stored asset. Times are epoch milliseconds. */
export interface Asset {
  id: string;
  accountId: string;
  /** Unique in the account. */
  name: string;
  type: AssetFileType;
  /** The content. It never changes: a replaced asset has another file. */
  fileId: string;
  sizeBytes: number;
  /** `null` unless the asset is a font. */
  font: AssetFont | null;
  createdAt: number;
  updatedAt: number;
}

/** The content of an asset, as a document receives it. */
export interface AssetContent {
  mediaType: string;
  /** The bytes in base64. */
  base64: string;
  sizeBytes: number;
}

/** The assets of an account at one moment. */
export interface AssetSet {
  /**
   * 24 random base62 characters, which change whenever an asset changes. Only the account's own documents
   * know them.
   */
  revision: string;
  /** The fonts, in the order of their names. */
  fonts: readonly (AssetFont & { name: string })[];
  /** Reads an asset; `null` when no asset has this name. @throws {FilesUnavailableError} */
  read(name: string): Promise<AssetContent | null>;
}

/**
 * A copy of an asset that belongs to a published template. Only the clones of the template receive it. Times
 * are epoch milliseconds.
 */
export interface PublishedAsset {
  id: string;
  /** The account that published the template. */
  accountId: string;
  templateId: string;
  /** Unique in the template. */
  name: string;
  type: AssetFileType;
  fileId: string;
  /** The file that was copied. */
  sourceFileId: string;
  sizeBytes: number;
  font: AssetFont | null;
  /** The names of the published assets that a style sheet refers to. */
  refersTo: readonly string[];
  createdAt: number;
}

/** The texts of a template that can refer to assets. */
export interface TemplateTexts {
  /** The HTML with all partials. */
  html: string;
  /** Options and sample data, as JSON text. */
  json: readonly (string | null)[];
}

/** The assets that were published with a template. */
export interface PublishedAssets {
  /** The names in the order of the alphabet. */
  names: string[];
  /** Names in the template without an asset. */
  missing: string[];
  /** References whose names contain variables, so that their assets cannot be known. */
  dynamic: string[];
}

/** The assets that a clone has received. */
export interface ReceivedAssets {
  /** The texts, with the names that the assets have in the account. */
  texts: TemplateTexts;
  /** The names in the account, in the order of the alphabet. */
  names: string[];
  /** Deletes the assets that the account did not have before. */
  undo(): Promise<void>;
}

/** Shares the assets of templates between accounts. */
export interface AssetSharing {
  /**
   * Copies the assets that a template uses, in place of earlier copies. The copies of an account have the
   * same limits as its assets.
   * @throws {AppError} VALIDATION_ERROR for `id` when they exceed a limit.
   */
  publish(owner: { accountId: string; templateId: string }, texts: TemplateTexts): Promise<PublishedAssets>;
  /** Deletes the copies of a template. Does nothing when there are none. */
  unpublish(templateId: string): Promise<void>;
  /**
   * Gives an account the published assets of a template. An asset that the account has with the same bytes is
   * reused. If its name is taken by other content, it gets a free name (`logo-2.png`), and the texts use it.
   * A font face that the account already has is not copied.
   * @throws {AppError} VALIDATION_ERROR for `id` when they do not fit into the account.
   */
  receive(accountId: string, templateId: string, texts: TemplateTexts): Promise<ReceivedAssets>;
  /** Deletes old copies of templates that are no longer public. */
  deleteStale(isPublic: (templateId: string) => Promise<boolean>): Promise<void>;
}

/** Provides the assets of accounts to the plugins that render and share documents. */
export interface AssetSource {
  /** Opens the assets of an account; `undefined` when it never had any. */
  open(accountId: string): Promise<AssetSet | undefined>;
  sharing: AssetSharing;
}

declare module '../../src/plugin.ts' {
  interface Services {
    assets: AssetSource;
  }
}
