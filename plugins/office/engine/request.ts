import type { OfficeOptions } from '../contract.ts';

type Value = string | number | boolean;
/** One setting of a request, as `driver.bas` reads it. */
type Line = readonly [section: 'source' | 'result' | 'load' | 'export' | 'do', name: string, value: Value];

/** The filter with which LibreOffice reads a document, if its content does not tell. */
export interface ImportFilter {
  name: string;
  options?: string;
}

export interface DriverRequest {
  source: string;
  result: string;
  filter: ImportFilter | undefined;
  password: string | undefined;
  options: OfficeOptions;
}

const PANELS = { none: 0, outline: 1, thumbnails: 2 } as const;
const MAGNIFICATIONS = { default: 0, page: 1, width: 2, visible: 3, zoom: 4 } as const;
const LAYOUTS = { default: 0, single: 1, continuous: 2, 'two-columns': 3 } as const;

/** Returns a request in the form that `driver.bas` reads, with its length in front. */
export function encodeRequest({ source, result, filter, password, options }: DriverRequest): string {
  const lines: Line[] = [
    ['source', 'url', `file://${source.split('/').map(encodeURIComponent).join('/')}`],
    ['result', 'url', `file://${result}`],
    ...(filter ? [['load', 'FilterName', filter.name] as const] : []),
    ...(filter?.options === undefined ? [] : [['load', 'FilterOptions', filter.options] as const]),
    ...(password === undefined ? [] : [['do', 'password', password] as const]),
    ...(options.updateIndexes === true ? [['do', 'indexes', true] as const] : []),
    ...(options.landscape === undefined ? [] : [['do', 'landscape', options.landscape] as const]),
    ...Object.entries(exportSettings(options)).flatMap(([name, value]) =>
      value === undefined ? [] : [['export', name, value] as const],
    ),
  ];
  const text = lines.map(([section, name, value]) => `${section} ${name} ${encodeValue(value)}`).join('\n');
  return String(text.length).padStart(8, '0') + text;
}

function encodeValue(value: Value): string {
  if (typeof value === 'string') return `text ${escapeText(value)}`;
  return typeof value === 'number' ? `number ${Math.round(value)}` : `boolean ${value}`;
}

/** Writes everything but letters, digits and plain punctuation as `\uXXXX`, by UTF-16 unit. */
function escapeText(text: string): string {
  let escaped = '';
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const isPlain = unit >= 0x20 && unit < 0x7f && unit !== 0x5c;
    escaped += isPlain ? text.charAt(at) : `\\u${unit.toString(16).padStart(4, '0')}`;
  }
  return escaped;
}

/** The quality of JPEG images that LibreOffice's command uses. */
const DEFAULT_QUALITY = 90;

/** Returns the settings of LibreOffice's PDF export. */
function exportSettings(options: OfficeOptions): Record<string, Value | undefined> {
  const { watermark, view = {} } = options;
  return {
    UseTaggedPDF: true,
    PageRange: options.pages,
    SinglePageSheets: options.singlePageSheets,
    // Without a quality, the filter compresses JPEG images again, unlike the command.
    Quality: options.quality ?? DEFAULT_QUALITY,
    UseLosslessCompression: options.losslessImages,
    ReduceImageResolution: options.imageDpi !== null,
    MaxImageResolution: options.imageDpi ?? undefined,
    ExportFormFields: options.formFields,
    AllowDuplicateFieldNames: options.duplicateFieldNames,
    ExportBookmarks: options.outline,
    ExportBookmarksToPDFDestination: options.namedDestinations,
    ConvertOOoTargetToPDFTarget: options.convertLinksToPdf,
    ExportLinksRelativeFsys: options.relativeLinks,
    ExportPlaceholders: options.placeholders,
    ExportNotes: options.comments ?? false,
    ExportNotesInMargin: options.commentsInMargin,
    ExportNotesPages: options.notesPages,
    ExportOnlyNotesPages: options.onlyNotesPages,
    ExportHiddenSlides: options.hiddenSlides,
    IsSkipEmptyPages: options.skipEmptyPages,
    IsAddStream: options.embedOriginal,
    UseTransitionEffects: options.transitions,
    ...(watermark?.tiled === true ? { TiledWatermark: watermark.text } : { Watermark: watermark?.text }),
    WatermarkColor: watermark?.color,
    WatermarkFontHeight: watermark?.fontSize,
    WatermarkRotateAngle: watermark?.angle === undefined ? undefined : watermark.angle * 10,
    WatermarkFontName: watermark?.fontName,
    InitialView: view.panel && PANELS[view.panel],
    InitialPage: view.page,
    Magnification: view.magnification && MAGNIFICATIONS[view.magnification],
    Zoom: view.zoom,
    PageLayout: view.layout && LAYOUTS[view.layout],
    FirstPageOnLeft: view.firstPageOnLeft,
    ResizeWindowToInitialPage: view.resizeWindow,
    CenterWindow: view.centerWindow,
    OpenInFullScreenMode: view.fullScreen,
    DisplayPDFDocumentTitle: view.showTitle,
    HideViewerMenubar: view.hideMenubar,
    HideViewerToolbar: view.hideToolbar,
    HideViewerWindowControls: view.hideWindowControls,
    OpenBookmarkLevels: view.openOutlineLevels,
  };
}
