/** A type that LibreOffice reads. */
interface DocumentType {
  /** The container and the program: types of one family are told apart by their content alone. */
  family: string;
  /** Whether the content is text, which has no signature. */
  isText?: true;
  /** Whether a name suffices, because the type has no signature that Platen knows. */
  byName?: true;
  /** Whether the container is a compound file ([MS-CFB]). */
  isCompound?: true;
}

const family = (name: string, ...endings: string[]) =>
  endings.map((ending): [string, DocumentType] => [ending, { family: name }]);
const compound = (name: string, ...endings: string[]) =>
  endings.map((ending): [string, DocumentType] => [ending, { family: name, isCompound: true }]);
const text = (...endings: string[]) =>
  endings.map((ending): [string, DocumentType] => [ending, { family: 'text', isText: true }]);
const byName = (...endings: string[]) =>
  endings.map((ending): [string, DocumentType] => [ending, { family: ending, byName: true, isText: true }]);

/** The types that can be converted, by their endings. */
export const TYPES: Readonly<Record<string, DocumentType>> = Object.fromEntries([
  ...family('ooxml-text', 'docx', 'docm', 'dotx', 'dotm'),
  ...family('ooxml-sheet', 'xlsx', 'xlsm', 'xltx', 'xltm', 'xlsb'),
  ...family('ooxml-slides', 'pptx', 'pptm', 'ppsx', 'ppsm', 'potx'),
  ...family('ooxml-drawing', 'vsdx', 'vsdm'),
  ...family('odf-text', 'odt', 'ott', 'odm', 'fodt'),
  ...family('odf-sheet', 'ods', 'ots', 'fods'),
  ...family('odf-slides', 'odp', 'otp', 'fodp'),
  ...family('odf-drawing', 'odg', 'otg', 'fodg'),
  ...family('odf-formula', 'odf'),
  ...family('zip', 'pages', 'numbers', 'key', 'sxw', 'sxc', 'sxi', 'sxd'),
  ...compound('doc', 'doc', 'dot'),
  ...compound('xls', 'xls', 'xlt'),
  ...compound('ppt', 'ppt', 'pps', 'pot'),
  ...compound('vsd', 'vsd'),
  ...compound('pub', 'pub'),
  ...family('rtf', 'rtf'),
  ...family('html', 'html'),
  ...family('xml', 'xml'),
  ...family('svg', 'svg'),
  ...['png', 'jpeg', 'gif', 'bmp', 'tiff', 'webp', 'psd', 'wmf', 'emf'].flatMap((name) => family(name, name)),
  ...text('txt', 'csv', 'tsv'),
  ...byName(
    'wpd',
    'wps',
    'hwp',
    'lwp',
    'wk1',
    'wks',
    '123',
    'wb2',
    'dbf',
    'dif',
    'slk',
    'cgm',
    'cdr',
    'dxf',
    'eps',
  ),
]);

const OTHER_NAMES: Readonly<Record<string, string>> = {
  jpg: 'jpeg',
  tif: 'tiff',
  htm: 'html',
  xhtml: 'html',
  text: 'txt',
  log: 'txt',
  tab: 'tsv',
};

/** The types by all endings of names. */
export const TYPES_BY_NAME: ReadonlyMap<string, string> = new Map([
  ...Object.keys(TYPES).map((type) => [type, type] as const),
  ...Object.entries(OTHER_NAMES),
]);

/** Returns the name of a type in messages. */
export function nameOf(type: string): string {
  return /^[aeio]|^[fhlmnrsx][^aeiou]/.test(type) ? `an ${type} file` : `a ${type} file`;
}

/** Faults that say nothing about a file that is no document. They follow the name of the field. */
export const NO_DOCUMENT = {
  pdf: 'is a PDF already',
  unknown:
    'is of an unknown type: send a text, spreadsheet, presentation or drawing of an office program, or an image such as PNG, JPEG or SVG',
  empty: 'is empty',
} as const;
