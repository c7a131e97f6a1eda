import { Type } from '../../../src/plugin.ts';
import type { OfficeOptions, OfficeView, OfficeWatermark } from '../../office/contract.ts';
import { bool, custom, text, type FieldValues } from '../form/fields.ts';
import { parseGoInt } from '../form/go-syntax.ts';

/** A switch that is off by default. */
const off = (description: string) => bool({ default: false, description });
const on = (description: string) => bool({ default: true, description });

/** Reads an integer that `fault` does not reject. */
const integer = <Default>(
  preset: Default,
  description: string,
  fault: (value: number) => string | undefined = () => undefined,
) =>
  custom<number | Default>({
    default: preset,
    schema: Type.Integer(),
    description,
    parse(given) {
      const value = parseGoInt(given);
      const reason = fault(value);
      if (reason !== undefined) throw new Error(reason);
      return value;
    },
  });

const atLeast = (least: number) => (value: number) =>
  value < least ? `value is inferior to ${least}` : undefined;

/** Rejects a value that is not in a list. */
const among =
  (...values: number[]) =>
  (value: number) =>
    values.includes(value) ? undefined : `value is not ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;

/** The fields about the conversion, in the order of Gotenberg's messages. */
export const officeFields = {
  password: text({ default: '', description: 'Opens an encrypted document.' }),
  landscape: off('Prints pages in landscape.'),
  nativePageRanges: text({
    default: '',
    description: 'The pages to convert, such as `1-3,5`; all when absent.',
  }),
  updateIndexes: on('Updates tables of contents and other indexes.'),
  exportFormFields: on('Makes form fields fillable.'),
  allowDuplicateFieldNames: off('Lets several form fields share a name.'),
  exportBookmarks: on('Makes bookmarks from headings.'),
  exportBookmarksToPdfDestination: off('Makes bookmarks of the document named destinations.'),
  exportPlaceholders: off('Draws placeholder fields.'),
  exportNotes: off('Makes comments annotations.'),
  exportNotesPages: off('Adds pages with the notes of slides.'),
  exportOnlyNotesPages: off('Makes pages with notes only.'),
  exportNotesInMargin: off('Prints comments in the margin.'),
  convertOooTargetToPdfTarget: off('Links to documents end in .pdf.'),
  exportLinksRelativeFsys: off('Keeps relative links.'),
  exportHiddenSlides: off('Includes hidden slides.'),
  skipEmptyPages: off('Omits blank pages that only complete a side.'),
  addOriginalDocumentAsStream: off('Embeds the document in the PDF.'),
  singlePageSheets: off('Prints each sheet on one page.'),
  initialView: integer(0, 'The panel of the viewer: 0 none, 1 outline, 2 thumbnails.', among(0, 1, 2)),
  initialPage: integer(1, 'The page that opens.', atLeast(1)),
  magnification: integer(
    0,
    'The magnification: 0 default, 1 page, 2 width, 3 visible, 4 zoom.',
    among(0, 1, 2, 3, 4),
  ),
  zoom: integer(100, 'The zoom in percent, with magnification 4.', atLeast(1)),
  pageLayout: integer(
    0,
    'The layout: 0 default, 1 single page, 2 continuous, 3 two columns.',
    among(0, 1, 2, 3),
  ),
  firstPageOnLeft: off('With two columns, the first page is on the left.'),
  resizeWindowToInitialPage: off('Fits the window to the first page.'),
  centerWindow: off('Centres the window.'),
  openInFullScreenMode: off('Opens in full screen.'),
  displayPDFDocumentTitle: on('Shows the title instead of the file name.'),
  hideViewerMenubar: off('Hides the menu bar.'),
  hideViewerToolbar: off('Hides the toolbar.'),
  hideViewerWindowControls: off('Hides the window controls.'),
  useTransitionEffects: on('Writes the transitions of slides.'),
  openBookmarkLevels: integer(-1, 'The levels of bookmarks that are open; -1 for all.', (value) =>
    value !== -1 && (value < 1 || value > 10) ? 'value is not -1 or between 1 and 10' : undefined,
  ),
  losslessImageCompression: off('Stores images without loss.'),
  quality: integer(90, 'The quality of JPEG images.', (value) =>
    value < 1 ? 'value is inferior to 1' : value > 100 ? 'value is superior to 100' : undefined,
  ),
  reduceImageResolution: off('Reduces images to maxImageResolution.'),
  maxImageResolution: integer(300, 'In pixels per inch.', among(75, 150, 300, 600, 1200)),
  nativeWatermarkText: text({ default: '', description: 'Text behind all pages.' }),
  nativeWatermarkColor: integer<number | undefined>(undefined, 'The colour of the text, as one number.'),
  nativeWatermarkFontHeight: integer<number | undefined>(undefined, 'In points.', atLeast(0)),
  nativeWatermarkRotateAngle: integer<number | undefined>(undefined, 'In tenths of a degree.'),
  nativeWatermarkFontName: text({ default: '', description: 'The font of the text.' }),
  nativeTiledWatermarkText: text({ default: '', description: 'Text that is repeated over the page.' }),
  nativePdfFormats: on('Has no effect: every PDF format is checked.'),
  merge: off('Merges the results in the order of their names.'),
};

type Values = FieldValues<typeof officeFields>;

/** Returns the options of a conversion. */
export function optionsOf(values: Values): OfficeOptions {
  return {
    pages: values.nativePageRanges === '' ? undefined : values.nativePageRanges,
    landscape: values.landscape ? true : undefined,
    singlePageSheets: values.singlePageSheets,
    quality: values.quality,
    losslessImages: values.losslessImageCompression,
    imageDpi: values.reduceImageResolution ? values.maxImageResolution : null,
    updateIndexes: values.updateIndexes,
    formFields: values.exportFormFields,
    duplicateFieldNames: values.allowDuplicateFieldNames,
    outline: values.exportBookmarks,
    namedDestinations: values.exportBookmarksToPdfDestination,
    convertLinksToPdf: values.convertOooTargetToPdfTarget,
    relativeLinks: values.exportLinksRelativeFsys,
    placeholders: values.exportPlaceholders,
    comments: values.exportNotes,
    commentsInMargin: values.exportNotesInMargin,
    notesPages: values.exportNotesPages,
    onlyNotesPages: values.exportOnlyNotesPages,
    hiddenSlides: values.exportHiddenSlides,
    skipEmptyPages: values.skipEmptyPages,
    embedOriginal: values.addOriginalDocumentAsStream,
    transitions: values.useTransitionEffects,
    watermark: watermarkOf(values),
    view: viewOf(values),
  };
}

function watermarkOf(values: Values): OfficeWatermark | undefined {
  const { nativeTiledWatermarkText: tiled, nativeWatermarkText: plain } = values;
  if (tiled !== '') return { text: tiled, tiled: true };
  if (plain === '') return undefined;
  const angle = values.nativeWatermarkRotateAngle;
  return {
    text: plain,
    color: values.nativeWatermarkColor,
    fontSize: values.nativeWatermarkFontHeight || undefined,
    angle: angle === undefined ? undefined : angle / 10,
    fontName: values.nativeWatermarkFontName || undefined,
  };
}

const PANELS = ['none', 'outline', 'thumbnails'] as const;
const MAGNIFICATIONS = ['default', 'page', 'width', 'visible', 'zoom'] as const;
const LAYOUTS = ['default', 'single', 'continuous', 'two-columns'] as const;

function viewOf(values: Values): OfficeView {
  return {
    panel: PANELS[values.initialView],
    page: values.initialPage,
    magnification: MAGNIFICATIONS[values.magnification],
    zoom: values.zoom,
    layout: LAYOUTS[values.pageLayout],
    firstPageOnLeft: values.firstPageOnLeft,
    resizeWindow: values.resizeWindowToInitialPage,
    centerWindow: values.centerWindow,
    fullScreen: values.openInFullScreenMode,
    showTitle: values.displayPDFDocumentTitle,
    hideMenubar: values.hideViewerMenubar,
    hideToolbar: values.hideViewerToolbar,
    hideWindowControls: values.hideViewerWindowControls,
    openOutlineLevels: values.openBookmarkLevels === -1 ? undefined : values.openBookmarkLevels,
  };
}
