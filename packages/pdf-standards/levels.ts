/**
 * The supported levels of PDF/A: the part of ISO 19005, and the conformance level B (basic) or U (Unicode).
 */
export const PDFA_LEVELS = ['1b', '2b', '2u', '3b', '3u'] as const;

/** A supported level of PDF/A. */
export type PdfaLevel = (typeof PDFA_LEVELS)[number];

/** The implementation limits of a part (ISO 19005-1 6.1.12, ISO 19005-2 6.1.13). */
export interface Limits {
  integer: number;
  real: number;
  stringBytes: number;
  nameBytes: number;
  arrayItems: number;
  dictEntries: number;
  /** The nesting depth of graphics states. */
  stateDepth: number;
  deviceNColorants: number;
  /** The smallest and the largest width and height of a page, in user space units. */
  pageUnits: readonly [min: number, max: number];
}

/** The clause of each rule in ISO 19005-1 and in ISO 19005-2, which ISO 19005-3 shares. */
const CLAUSES = {
  file: ['6.1.1', '6.1.1'],
  header: ['6.1.2', '6.1.2'],
  trailer: ['6.1.3', '6.1.3'],
  crossReferences: ['6.1.4', '6.1.4'],
  strings: ['6.1.6', '6.1.6'],
  streams: ['6.1.7', '6.1.7.1'],
  objects: ['6.1.8', '6.1.9'],
  names: ['6.1.8', '6.1.8'],
  filters: ['6.1.10', '6.1.7.2'],
  inlineFilters: ['6.1.10', '6.1.10'],
  attachments: ['6.1.11', '6.8'],
  permissions: ['6.7.2', '6.1.12'],
  limits: ['6.1.12', '6.1.13'],
  layers: ['6.1.13', '6.9'],
  presentations: ['6.1.13', '6.10'],
  outputIntents: ['6.2.2', '6.2.3'],
  profiles: ['6.2.3.2', '6.2.4.2'],
  deviceColours: ['6.2.3.3', '6.2.4.3'],
  spotColours: ['6.2.3.4', '6.2.4.4'],
  images: ['6.2.4', '6.2.8'],
  jpeg2000: ['6.1.10', '6.2.8.3'],
  formXObjects: ['6.2.5', '6.2.9'],
  references: ['6.2.6', '6.2.9'],
  postScript: ['6.2.7', '6.2.9'],
  graphicsStates: ['6.2.8', '6.2.5'],
  intents: ['6.2.9', '6.2.6'],
  operators: ['6.2.10', '6.2.2'],
  fontDictionaries: ['6.3.2', '6.2.11.2'],
  collections: ['6.3.3.1', '6.2.11.3.1'],
  cidMaps: ['6.3.3.2', '6.2.11.3.2'],
  cmaps: ['6.3.3.3', '6.2.11.3.3'],
  embedding: ['6.3.4', '6.2.11.4.1'],
  subsets: ['6.3.5', '6.2.11.4.2'],
  widths: ['6.3.6', '6.2.11.5'],
  encodings: ['6.3.7', '6.2.11.6'],
  missingGlyphs: ['6.3.5', '6.2.11.8'],
  unicode: ['6.3.8', '6.2.11.7.2'],
  transparency: ['6.4', '6.2.10'],
  annotationTypes: ['6.5.2', '6.3.1'],
  annotations: ['6.5.3', '6.3.2'],
  appearances: ['6.5.3', '6.3.3'],
  actions: ['6.6.1', '6.5.1'],
  requirements: ['6.6.1', '6.11'],
  triggers: ['6.6.2', '6.5.2'],
  metadata: ['6.7.2', '6.6.2.1'],
  information: ['6.7.3', '6.6.3'],
  packets: ['6.7.5', '6.6.2.1'],
  properties: ['6.7.9', '6.6.2.3.1'],
  extensions: ['6.7.8', '6.6.2.3.3'],
  identification: ['6.7.11', '6.6.4'],
  forms: ['6.9', '6.4.1'],
  xfa: ['6.9', '6.4.2'],
  signatures: ['6.9', '6.4.3'],
} as const;

/** A rule of PDF/A, by its subject. */
export type Rule = keyof typeof CLAUSES;

/** The differences between levels. All other rules are the same for all levels. */
export interface LevelRules {
  level: PdfaLevel;
  /** The level as people write it, such as `PDF/A-2u`. */
  title: string;
  part: 1 | 2 | 3;
  conformance: 'B' | 'U';
  /** The conformance levels that include this one, and this one itself. */
  including: readonly string[];
  /** The standard, such as `ISO 19005-2`. */
  standard: string;
  /** The PDF version that the part is based on. */
  version: '1.4' | '1.7';
  /** Whether object streams and cross-reference streams are allowed. */
  objectStreams: boolean;
  transparency: boolean;
  layers: boolean;
  jpeg2000: boolean;
  /** The files that may be attached: none, PDF/A-1 and PDF/A-2 files, or any. */
  attachments: 'none' | 'pdfa' | 'any';
  /** Whether every character must have Unicode text. */
  unicode: boolean;
  /** The highest allowed major version of ICC profiles. */
  profileVersion: 2 | 4;
  /** The allowed numbers of bits per component of images. */
  imageBits: ReadonlySet<number>;
  /** The allowed types of annotations. */
  annotations: ReadonlySet<string>;
  /** Whether every annotation except links and pop-ups must have an appearance. */
  appearances: boolean;
  limits: Limits;
  /** The clause of each rule in the part. */
  clauses: Readonly<Record<Rule, string>>;
}

const LIMITS_1: Limits = {
  integer: 2_147_483_647,
  real: 32_767,
  stringBytes: 65_535,
  nameBytes: 127,
  arrayItems: 8_191,
  dictEntries: 4_095,
  stateDepth: 28,
  deviceNColorants: 8,
  pageUnits: [0, Number.POSITIVE_INFINITY],
};
const LIMITS_2: Limits = {
  ...LIMITS_1,
  real: 3.403e38,
  stringBytes: 32_767,
  arrayItems: Number.POSITIVE_INFINITY,
  dictEntries: Number.POSITIVE_INFINITY,
  deviceNColorants: 32,
  pageUnits: [3, 14_400],
};

const ANNOTATIONS_1 =
  'Text Link FreeText Line Square Circle Highlight Underline Squiggly StrikeOut Stamp Ink Popup Widget PrinterMark TrapNet'.split(
    ' ',
  );
const ANNOTATIONS_2 = [
  ...ANNOTATIONS_1,
  'Polygon',
  'PolyLine',
  'Caret',
  'FileAttachment',
  'Watermark',
  'Redact',
];

type Part = Omit<LevelRules, 'level' | 'title' | 'conformance' | 'including' | 'unicode'>;

const PART_1: Part = {
  part: 1,
  standard: 'ISO 19005-1',
  version: '1.4',
  objectStreams: false,
  transparency: false,
  layers: false,
  jpeg2000: false,
  attachments: 'none',
  profileVersion: 2,
  imageBits: new Set([1, 2, 4, 8]),
  annotations: new Set(ANNOTATIONS_1),
  appearances: false,
  limits: LIMITS_1,
  clauses: clausesOf(0),
};
const PART_2: Part = {
  part: 2,
  standard: 'ISO 19005-2',
  version: '1.7',
  objectStreams: true,
  transparency: true,
  layers: true,
  jpeg2000: true,
  attachments: 'pdfa',
  profileVersion: 4,
  imageBits: new Set([1, 2, 4, 8, 16]),
  annotations: new Set(ANNOTATIONS_2),
  appearances: true,
  limits: LIMITS_2,
  clauses: clausesOf(1),
};
const PART_3: Part = { ...PART_2, part: 3, standard: 'ISO 19005-3', attachments: 'any' };

const RULES: Readonly<Record<PdfaLevel, LevelRules>> = {
  '1b': rulesOf('1b', PART_1),
  '2b': rulesOf('2b', PART_2),
  '2u': rulesOf('2u', PART_2),
  '3b': rulesOf('3b', PART_3),
  '3u': rulesOf('3u', PART_3),
};

/** Returns the rules of a level. */
export function levelRules(level: PdfaLevel): LevelRules {
  return RULES[level];
}

/**
 * Returns the supported level with a part and a conformance level, as XMP metadata claims them; `undefined`
 * for other levels.
 */
export function levelOf(part: string, conformance: string): PdfaLevel | undefined {
  const claimed = `${part}${conformance.toLowerCase()}`;
  return PDFA_LEVELS.find((level) => level === claimed);
}

function rulesOf(level: PdfaLevel, part: Part): LevelRules {
  const unicode = level.endsWith('u');
  return {
    ...part,
    level,
    title: `PDF/A-${level}`,
    conformance: unicode ? 'U' : 'B',
    including: unicode ? ['U', 'A'] : ['B', 'U', 'A'],
    unicode,
  };
}

function clausesOf(column: 0 | 1): Record<Rule, string> {
  const entries = Object.entries(CLAUSES).map(([rule, clauses]) => [rule, clauses[column]] as const);
  return Object.fromEntries(entries) as Record<Rule, string>;
}
