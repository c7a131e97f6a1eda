import { fieldGroup, Type } from '../../../src/plugin.ts';
import { bool, custom, files, json, text, type Field, type Fields } from '../form/fields.ts';
import { extensionOf, type Form, type FormFile } from '../form/form.ts';
import { parseGoBool, parseGoInt } from '../form/go-syntax.ts';
import type { Bookmark, Bookmarks, MetadataValue } from './processing.ts';

/** The parts whose files are not the documents of the request. */
const OTHER_PARTS: ReadonlySet<string> = new Set(
  'embeds watermark watermarks stamp stamps facturxXml'.split(' '),
);

/** Reads the documents: all files with one of the extensions, whatever the name of their part is. */
export function documents(extensions: readonly string[], description: string): Field<readonly FormFile[]> {
  const missing = files({ extensions, required: true, description });
  return {
    ...missing,
    read(form, name) {
      const found = form.files.filter(
        (file) => !OTHER_PARTS.has(file.field) && extensions.includes(extensionOf(file.name)),
      );
      return found.length > 0 ? found : missing.read(form, name);
    },
  };
}

/** The PDFs of a request. */
export const pdfFiles = documents(['.pdf'], 'The PDFs.');

/** Reads an integer within limits, with Gotenberg's messages. */
function integerIn(least: number, most: number): (given: string) => number {
  return (given) => {
    const value = parseGoInt(given);
    if (value < least) throw new Error(`value is inferior to ${least}`);
    if (value > most) throw new Error(`value is superior to ${most}`);
    return value;
  };
}

/** Creates a field whose reader depends on other fields. */
function dependent<Value>(create: (form: Form | undefined) => Field<Value>): Field<Value> {
  return { ...create(undefined), read: (form, name) => create(form).read(form, name) };
}

const choiceOf = (required: boolean) => (required ? { required } : { default: '' }) as { default: string };

/** The fields of a split. `splitSpan` is a number for the mode `intervals`. */
export function splitFields(required: boolean) {
  return {
    splitMode: custom({
      ...choiceOf(required),
      schema: Type.Union([Type.Literal('intervals'), Type.Literal('pages')]),
      description: 'Splits into parts of equal length, or extracts pages.',
      parse(given) {
        if (given !== 'intervals' && given !== 'pages')
          throw new Error("wrong value, expected either 'intervals' or 'pages'");
        return given;
      },
    }),
    splitSpan: dependent((form) =>
      custom({
        ...choiceOf(required),
        schema: Type.String(),
        description: 'The number of pages of each part, or the pages to extract, such as `1-3,5`.',
        parse(given) {
          const span = given.replaceAll(/\s+/g, '');
          if (form?.value('splitMode') === 'intervals') integerIn(1, Number.MAX_SAFE_INTEGER)(span);
          return span;
        },
      }),
    ),
    splitUnify: dependent((form) => {
      const flag = bool({ default: false, description: 'Puts the extracted pages into one PDF.' });
      return custom({
        default: false,
        schema: flag.schema,
        description: 'Puts the extracted pages into one PDF.',
        parse(given) {
          const mode = form?.value('splitMode') ?? '';
          const unify = parseGoBool(given);
          if (unify && mode !== 'pages') throw new Error(`unify is not available for split mode '${mode}'`);
          return unify;
        },
      });
    }),
  };
}

/** The PDF format of the results. */
export const formatFields = {
  pdfa: text({ default: '', description: 'A level of PDF/A: PDF/A-1b, 2b, 2u, 3b or 3u.' }),
  pdfua: bool({ default: false, description: 'Whether the PDF is PDF/UA-1.' }),
};

const MAX_TAGS = 1_000;

/** Metadata to write. */
export function metadataField(required: boolean) {
  return json<Readonly<Record<string, MetadataValue>> | undefined>({
    ...optionalOr<undefined>(required, undefined),
    subject: 'metadata',
    description: 'A JSON object of tags of ExifTool and their values.',
    check(value) {
      if (value === null) return undefined;
      if (typeof value !== 'object' || Array.isArray(value)) throw mismatch(value, 'map[string]interface {}');
      if (Object.keys(value).length > MAX_TAGS) throw new Error(`more than ${MAX_TAGS} tags`);
      return value as Readonly<Record<string, MetadataValue>>;
    },
  });
}

/** An outline, or outlines by the names of files. */
export function bookmarksField(required: boolean) {
  return json<Bookmarks | undefined>({
    ...optionalOr<undefined>(required, undefined),
    subject: 'bookmarks',
    description: 'A JSON list of `{ title, page, children }`, or an object of such lists by file name.',
    check(value) {
      if (value === null) return undefined;
      const budget = { items: MAX_BOOKMARKS };
      if (Array.isArray(value)) return { all: checkBookmarks(value, budget, 1) };
      if (typeof value !== 'object') throw mismatch(value, 'map[string][]gotenberg.Bookmark');
      const entries = Object.entries(value);
      if (entries.length > MAX_FILES) throw new Error(`bookmarks name more than ${MAX_FILES} files`);
      const lists = entries.map(
        ([name, list]) => [name, list === null ? [] : checkBookmarks(list, budget, 1)] as const,
      );
      return { byFile: new Map(lists) };
    },
  });
}

const MAX_OUTLINE_DEPTH = 20;
/** The limit of an outline. */
const MAX_BOOKMARKS = 50_000;
/** A form has at most as many parts. */
const MAX_FILES = 1_000;

/** Checks the shape of bookmarks. The engine checks their titles and pages. */
function checkBookmarks(value: unknown, budget: { items: number }, depth: number): Bookmark[] {
  if (!Array.isArray(value)) throw mismatch(value, '[]gotenberg.Bookmark');
  if (depth > MAX_OUTLINE_DEPTH)
    throw new Error(`bookmarks are nested more than ${MAX_OUTLINE_DEPTH} levels deep`);
  budget.items -= value.length;
  if (budget.items < 0) throw new Error(`more than ${MAX_BOOKMARKS} bookmarks`);
  return value.map((item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item))
      throw mismatch(item, 'gotenberg.Bookmark');
    const { title = '', page = 0, children } = item as Record<string, unknown>;
    if (typeof title !== 'string') throw mismatch(title, 'Go struct field Bookmark.title of type string');
    if (typeof page !== 'number') throw mismatch(page, 'Go struct field Bookmark.page of type int');
    const kids =
      children === undefined || children === null ? [] : checkBookmarks(children, budget, depth + 1);
    return { title, page, ...(kids.length > 0 && { children: kids }) };
  });
}

/** Creates the error of Go for a JSON value of another type. */
function mismatch(value: unknown, type: string): Error {
  const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return new Error(`json: cannot unmarshal ${kind} into Go value of type ${type}`);
}

/** The rotation of pages. */
export function rotationFields(required: boolean) {
  return {
    rotateAngle: custom<0 | 90 | 180 | 270>({
      ...optionalOr<0>(required, 0),
      schema: Type.Union([Type.Literal(90), Type.Literal(180), Type.Literal(270)]),
      description: 'Rotates pages clockwise by 90, 180 or 270 degrees.',
      parse(given) {
        const angle = parseGoInt(given);
        if (angle !== 90 && angle !== 180 && angle !== 270)
          throw new Error('wrong value, expected 90, 180, or 270');
        return angle;
      },
    }),
    rotatePages: text({ default: '', description: 'The pages to rotate, such as `1,3-5`; all when absent.' }),
  };
}

/** The compression of images. */
export const optimizeFields = {
  optimizeImages: bool({ default: false, description: 'Encodes images again, as JPEG.' }),
  imageQuality: custom({
    default: 80,
    schema: Type.Integer({ minimum: 1, maximum: 100 }),
    description: 'The quality of images with optimizeImages.',
    parse: integerIn(1, 100),
  }),
};

/** Whether annotations and form fields become content. */
export const flattenField = bool({
  default: false,
  description: 'Turns annotations and form fields into page content.',
});

/** Passwords and permissions. */
export const encryptFields = {
  userPassword: text({ default: '', description: 'Opens the PDF with the permissions.' }),
  ownerPassword: text({ default: '', description: 'Opens the PDF without restrictions.' }),
  allowPrinting: bool({ default: true, description: 'Allows printing.' }),
  allowCopying: bool({ default: true, description: 'Allows copying text and images.' }),
  allowModifying: bool({ default: true, description: 'Allows changing pages.' }),
  allowAnnotating: bool({ default: true, description: 'Allows annotations.' }),
  allowFillingForms: bool({ default: true, description: 'Allows filling in form fields.' }),
  allowAssembling: bool({ default: true, description: 'Allows inserting, deleting and rotating pages.' }),
};

type EmbedsMetadata = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Files to embed, and their media types and relationships. */
export const embedFields = {
  embeds: files({ field: 'embeds', description: 'Files to embed.' }),
  embedsMetadata: json<EmbedsMetadata>({
    default: {},
    subject: 'embeds metadata',
    description: 'A JSON object: for each name of an embedded file, `{ mimeType, relationship }`.',
    check(value) {
      if (value === null) return {};
      if (typeof value !== 'object' || Array.isArray(value))
        throw mismatch(value, 'map[string]map[string]string');
      for (const entry of Object.values(value)) {
        if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
          throw mismatch(entry, 'map[string]string');
        for (const each of Object.values(entry)) if (typeof each !== 'string') throw mismatch(each, 'string');
      }
      return value as EmbedsMetadata;
    },
  }),
};

const oneOf = (values: readonly string[], subject: string, preset: string, description: string) =>
  custom({
    default: preset,
    schema: Type.Union(values.map((value) => Type.Literal(value))),
    description,
    parse(given) {
      if (!values.includes(given)) throw new Error(`unsupported ${subject} '${given}'`);
      return given;
    },
  });

/** An invoice to embed. */
export const facturXFields = {
  facturxXml: files({ field: 'facturxXml', description: 'The invoice in CII, which is embedded.' }),
  facturxConformanceLevel: oneOf(
    ['MINIMUM', 'BASIC WL', 'BASIC', 'EN 16931', 'EXTENDED', 'XRECHNUNG'],
    'conformance level',
    '',
    'The profile of the invoice.',
  ),
  facturxDocumentType: oneOf(
    ['INVOICE', 'ORDER', 'ORDER_RESPONSE', 'ORDER_CHANGE'],
    'document type',
    'INVOICE',
    'The type of the document.',
  ),
  facturxVersion: text({ default: '1.0', description: 'The version of Factur-X.' }),
};

/** Watermarks or stamps. Each field can be repeated; the fields with the same position belong together. */
export function markFields(kind: 'watermark' | 'stamp') {
  const described = (description: string) => text({ default: '', description });
  return {
    [`${kind}Source`]: described(`The kind of the ${kind}: text, image or pdf.`),
    [`${kind}Expression`]: described('The text.'),
    [`${kind}Pages`]: described('The pages, such as `1-3,5`; all when absent.'),
    [`${kind}Options`]: described('A JSON object of options of pdfcpu, such as `{"rot":"0","op":"0.5"}`.'),
    [kind]: files({
      field: kind,
      description: `The files of images and PDFs, in the order of ${kind}Source.`,
    }),
  };
}

/** The fields of the work that the routes share, without those of splits, bookmarks and flattening. */
export const processingFields = documentedOnce('GotenbergProcessing', {
  ...formatFields,
  metadata: metadataField(false),
  ...encryptFields,
  ...embedFields,
  ...markFields('watermark'),
  ...markFields('stamp'),
  ...rotationFields(false),
  ...facturXFields,
  ...optimizeFields,
});

/** Lets the API documentation describe fields once that several routes share. None of them is required. */
export function documentedOnce<F extends Fields>(name: string, fields: F): F {
  const schemas = fieldGroup(
    name,
    Object.fromEntries(Object.entries(fields).map(([key, { schema }]) => [key, Type.Optional(schema)])),
  );
  const entries = Object.entries(fields).map(([key, field]) => [key, { ...field, schema: schemas[key] }]);
  return Object.fromEntries(entries) as F;
}

/** Options of a field that is required, or has a value when it is absent. */
function optionalOr<Value>(required: boolean, preset: Value) {
  return (required ? { required } : { default: preset }) as { default: Value };
}
