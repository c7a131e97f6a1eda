import { Type, type Static } from '../../../src/plugin.ts';
import type { DataFault } from '../../templates/contract.ts';
import { isMissing } from './missing-assets.ts';
import type { ReplacedFont } from './replaced-fonts.ts';
import type { MissingVariable, Receipt, ReplacedLanguage, Resource } from './receipt.ts';

/** The codes of warnings. `options.strict` turns the first four into errors. */
export const WARNING_CODES = [
  'MISSING_VARIABLE',
  'SCHEMA_MISMATCH',
  'ASSET_FAILED',
  'MISSING_GLYPHS',
  'FONT_REPLACED',
  'LANGUAGE_REPLACED',
  'OVERFLOW',
  'BILL_SIZE',
  'PAGE_SIZE_IGNORED',
  'TEMPLATE_TAGS',
] as const;

/** The schema of a warning in responses. */
export const WarningResponse = Type.Object(
  {
    code: Type.Union(
      WARNING_CODES.map((code) => Type.Literal(code)),
      { description: 'docs/receipts.md explains each.' },
    ),
    message: Type.String(),
    path: Type.Union([Type.String(), Type.Null()], {
      description: 'The variable, or the URL of the asset; null otherwise.',
    }),
  },
  { title: 'Warning' },
);

/** A sign that a document is not as its author meant it. */
export type Warning = Static<typeof WarningResponse>;

/** The schema of the warnings of a document. */
export const Warnings = Type.Array(WarningResponse, {
  title: 'Warnings',
  description:
    'Signs that the document is not as its author meant it, such as data that the template needs and the request lacks; usually empty.',
});

/** The parts of a receipt from which warnings are made. */
export type WarningSource = Pick<
  Receipt,
  | 'missingVariables'
  | 'schemaMismatches'
  | 'resources'
  | 'missingGlyphs'
  | 'replacedFonts'
  | 'replacedLanguage'
  | 'overflow'
  | 'billScale'
  | 'unknownPageSizes'
  | 'templateTags'
>;

const MAX_LISTED_CHARACTERS = 20;
const MAX_LISTED_TAGS = 5;
/** A smaller difference, of a millimetre, comes from rounding. */
const BILL_TOLERANCE = 0.005;

/** Lists the warnings about a document, in the order of {@link WARNING_CODES}. */
export function warningsOf(receipt: WarningSource): Warning[] {
  const {
    missingVariables,
    schemaMismatches,
    resources,
    missingGlyphs,
    replacedFonts,
    replacedLanguage,
    overflow,
    billScale = 1,
    unknownPageSizes = [],
    templateTags,
  } = receipt;
  return [
    ...missingVariables.entries.map(describeVariable),
    ...schemaMismatches.entries.map(describeMismatch),
    ...resources.entries.filter(isMissing).map(describeAsset),
    ...describeGlyphs(missingGlyphs),
    ...(replacedFonts ?? []).map(describeFont),
    ...(replacedLanguage ? [describeLanguage(replacedLanguage)] : []),
    ...describeOverflow(overflow),
    ...describeBill(billScale),
    ...unknownPageSizes.map(describePageSize),
    ...describeTags(templateTags ?? []),
  ];
}

function describeVariable({ path, count, sentence, place }: MissingVariable): Warning {
  if (sentence !== undefined) return { code: 'MISSING_VARIABLE', message: sentence, path };
  const others = count > 1 ? `, nor in ${count - 1} other items of the list` : '';
  const prefix = place === undefined ? '' : `${place}: `;
  return { code: 'MISSING_VARIABLE', message: `${prefix}the data has no ${path}${others}`, path };
}

/** Describes a difference between the data and the schema of a template. */
export function describeMismatch({ path, expected, found }: DataFault): Warning {
  const verb = expected.endsWith('!') ? 'requires' : 'declares';
  const type = expected.replace(/[!?]$/, '');
  const message =
    found === 'missing'
      ? `the data has no ${path}, which the schema of the template ${verb} as ${type}`
      : `${path} is ${found}, and the schema of the template ${verb} ${type}`;
  return { code: 'SCHEMA_MISMATCH', message, path };
}

function describeAsset(resource: Resource): Warning {
  return { code: 'ASSET_FAILED', message: describeFailedAsset(resource), path: resource.url || null };
}

/** Describes an asset that failed: its URL and the reason. */
export function describeFailedAsset({ url, type, reason, outcome }: Resource): string {
  return `${url || `a resource of type ${type}`}: ${reason ?? outcome}`;
}

function describeGlyphs(glyphs: Receipt['missingGlyphs']): Warning[] {
  if (!glyphs || glyphs.count === 0) return [];
  const { count, characters } = glyphs;
  const listed = characters.slice(0, MAX_LISTED_CHARACTERS).join(' ');
  const names = listed === '' ? '' : `: ${listed}${characters.length > MAX_LISTED_CHARACTERS ? ' …' : ''}`;
  const boxes = count === 1 ? '1 character is' : `${count} characters are`;
  return [
    {
      code: 'MISSING_GLYPHS',
      message: `${boxes} printed as a box, because no font has a glyph${names}`,
      path: null,
    },
  ];
}

function describeFont({ family, weight, style }: ReplacedFont): Warning {
  const face = style === 'italic' ? `${weight} italic` : weight;
  return {
    code: 'FONT_REPLACED',
    message: `the font ${JSON.stringify(family)} has no face ${face}, so another face was printed`,
    path: null,
  };
}

function describeLanguage({ requested, printed }: ReplacedLanguage): Warning {
  return {
    code: 'LANGUAGE_REPLACED',
    message: `the template has no messages in "${requested}"; the messages in "${printed}" were printed instead`,
    path: `translations.${requested}`,
  };
}

function describeOverflow(overflow: Receipt['overflow']): Warning[] {
  if (overflow === null || overflow === undefined) return [];
  const percent = Math.round(overflow.scale * 100);
  const clipped = overflow.isClipped ? '; it may be cut off at the edge' : '';
  return [
    {
      code: 'OVERFLOW',
      message: `the content is wider than the page, so the document was printed at ${percent} % of its size${clipped}`,
      path: null,
    },
  ];
}

function describeBill(scale: number): Warning[] {
  if (Math.abs(scale - 1) <= BILL_TOLERANCE) return [];
  const percent = (scale * 100).toFixed(1).replace(/\.0$/, '');
  return [
    {
      code: 'BILL_SIZE',
      message: `the Swiss QR-bill is printed at ${percent} % of 210 x 105 mm, which banks reject: put it at its full size on a page whose margins and body leave it 210 mm`,
      path: null,
    },
  ];
}

function describePageSize(size: string): Warning {
  return {
    code: 'PAGE_SIZE_IGNORED',
    message: `the size ${JSON.stringify(size)} of @page is unknown, so the page has another size: write lengths such as 105mm 148mm`,
    path: null,
  };
}

function describeTags(tags: readonly string[]): Warning[] {
  if (tags.length === 0) return [];
  const listed = tags.slice(0, MAX_LISTED_TAGS).join(', ');
  const more = tags.length > MAX_LISTED_TAGS ? ' …' : '';
  const subject = tags.length === 1 ? `the tag ${listed} is` : `the tags ${listed}${more} are`;
  return [
    {
      code: 'TEMPLATE_TAGS',
      message: `${subject} printed as text, because the request has no data`,
      path: null,
    },
  ];
}
