import type { AssetFileType } from '../../src/plugin.ts';

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
  /** 24 random base62 characters, which change whenever an asset changes. Only the account's own documents know them. */
  revision: string;
  /** The fonts, in the order of their names. */
  fonts: readonly (AssetFont & { name: string })[];
  /** Reads an asset; `null` when no asset has this name. @throws {FilesUnavailableError} */
  read(name: string): Promise<AssetContent | null>;
}

/** Provides the assets of accounts to the plugin that renders documents. */
export interface AssetSource {
  /** Opens the assets of an account; `undefined` when it never had any. */
  open(accountId: string): Promise<AssetSet | undefined>;
}

declare module '../../src/plugin.ts' {
  interface Services {
    assets: AssetSource;
  }
}
