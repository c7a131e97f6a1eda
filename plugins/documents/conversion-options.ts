/**
 * How a document becomes a PDF. Absent options have the default in their description. An option that does not
 * concern the kind of the document has no effect.
 */
export interface OfficeOptions {
  /** The pages, as in a print dialog: `1-3,5`, `4-` from the fourth page, `-4` up to it. Default: all. */
  pages?: string | undefined;
  /** Prints every page in landscape (true) or in portrait (false). Default: as the document says. */
  landscape?: boolean | undefined;
  /** Prints each sheet of a spreadsheet on one page of its size. Default: false. */
  singlePageSheets?: boolean | undefined;
  /** The quality of JPEG images, from 1 to 100. Default: 90. */
  quality?: number | undefined;
  /** Stores images without loss instead of as JPEG. Default: false. */
  losslessImages?: boolean | undefined;
  /** Reduces images to this number of pixels per inch; null keeps their resolution. Default: 300. */
  imageDpi?: number | null | undefined;
  /** Updates tables of contents and other indexes before the conversion. Default: false. */
  updateIndexes?: boolean | undefined;
  /** Makes form fields of a text document fillable. Otherwise, they are drawn. Default: true. */
  formFields?: boolean | undefined;
  /** Lets several form fields share one name. Default: false, which numbers them. */
  duplicateFieldNames?: boolean | undefined;
  /** Makes an outline from headings, sheets or slides. Default: true. */
  outline?: boolean | undefined;
  /** Makes bookmarks of a text document named destinations. Default: false. */
  namedDestinations?: boolean | undefined;
  /** Links to other documents end in `.pdf` instead of the extension of a document. Default: false. */
  convertLinksToPdf?: boolean | undefined;
  /** Has no effect: links relative to the document stay so, and never show a folder of the server. */
  relativeLinks?: boolean | undefined;
  /** Draws placeholder fields of a text document. Default: false. */
  placeholders?: boolean | undefined;
  /** Makes comments annotations. Default: false. */
  comments?: boolean | undefined;
  /** Prints comments of a text document in the margin. Default: false. */
  commentsInMargin?: boolean | undefined;
  /** Adds a page with notes for each slide. Default: false. */
  notesPages?: boolean | undefined;
  /** Makes pages with notes only. Default: false. */
  onlyNotesPages?: boolean | undefined;
  /** Includes hidden slides. Default: false. */
  hiddenSlides?: boolean | undefined;
  /** Omits blank pages that only complete a left or right side. Default: true. */
  skipEmptyPages?: boolean | undefined;
  /** Embeds the document in the PDF, in LibreOffice's own format. Default: false. */
  embedOriginal?: boolean | undefined;
  /** Writes the transitions of slides. Default: true. */
  transitions?: boolean | undefined;
  /** Text behind all pages. */
  watermark?: OfficeWatermark | undefined;
  /** How viewers show the PDF at first. */
  view?: OfficeView | undefined;
}

/** A watermark that LibreOffice draws. */
export interface OfficeWatermark {
  text: string;
  /** Repeats the text over the page. The other properties then have no effect. Default: false. */
  tiled?: boolean | undefined;
  /** From 0x000000 to 0xFFFFFF. Default: LibreOffice's light green, 0x80FF80. */
  color?: number | undefined;
  /** In points. Default: as large as the page permits. */
  fontSize?: number | undefined;
  /** Counter-clockwise, in degrees. Default: the text follows the longer side of the page. */
  angle?: number | undefined;
  /** Default: Helvetica. */
  fontName?: string | undefined;
}

/** How viewers show a PDF at first (ISO 32000-1 12.2). All switches are off by default. */
export interface OfficeView {
  /** The panel beside the pages. Default: none. */
  panel?: 'none' | 'outline' | 'thumbnails' | undefined;
  /** The page that opens. Default: 1. */
  page?: number | undefined;
  /** Default: the viewer's own. */
  magnification?: 'default' | 'page' | 'width' | 'visible' | 'zoom' | undefined;
  /** In percent; with the magnification `zoom`. Default: 100. */
  zoom?: number | undefined;
  /** Default: the viewer's own. */
  layout?: 'default' | 'single' | 'continuous' | 'two-columns' | undefined;
  /** With the layout `two-columns`, whether the first page is on the left. */
  firstPageOnLeft?: boolean | undefined;
  resizeWindow?: boolean | undefined;
  centerWindow?: boolean | undefined;
  fullScreen?: boolean | undefined;
  /** Shows the title of the document instead of the file name. Default: true. */
  showTitle?: boolean | undefined;
  hideMenubar?: boolean | undefined;
  hideToolbar?: boolean | undefined;
  hideWindowControls?: boolean | undefined;
  /** The levels of the outline that are open; all when absent. */
  openOutlineLevels?: number | undefined;
}
