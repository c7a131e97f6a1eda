import { AppError, messageOf } from '../../../src/plugin.ts';
import type { FieldValues } from '../form/fields.ts';
import type { Form } from '../form/form.ts';
import { parseGoJson } from '../form/go-json.ts';
import { invalidField } from './errors.ts';
import type { encryptFields, facturXFields, flattenField, processingFields, splitFields } from './fields.ts';
import type { Embed, Encryption, FacturX, Mark, Processing, Split } from './processing.ts';

/** The values of the fields that {@link readProcessing} reads. */
type Values = FieldValues<typeof processingFields & { flatten: typeof flattenField }>;

/**
 * Reads the work on the results of a route, except the split and the bookmarks.
 * @throws {AppError} VALIDATION_ERROR for marks that are invalid, and for fields that exclude each other
 */
export function readProcessing(values: Values, form: Form): Processing {
  const processing: Processing = {
    watermarks: readMarks(form, 'watermark'),
    stamps: readMarks(form, 'stamp'),
    rotation: values.rotateAngle === 0 ? undefined : { angle: values.rotateAngle, pages: values.rotatePages },
    flatten: values.flatten,
    imageQuality: values.optimizeImages ? values.imageQuality : undefined,
    pdfa: values.pdfa,
    pdfua: values.pdfua,
    metadata: values.metadata,
    embeds: readEmbeds(values),
    facturX: readFacturX(values),
    encryption: readEncryption(values),
  };
  checkTogether(processing);
  return processing;
}

function failed(message: string): AppError {
  return new AppError('VALIDATION_ERROR', `Invalid form data: ${message}`);
}

function checkTogether({ pdfa = '', encryption, embeds = [], facturX }: Processing): void {
  const isPart3 = /^PDF\/A-3[abu]$/.test(pdfa);
  if (pdfa !== '' && encryption) throw failed('PDF/A format is incompatible with encryption');
  if (facturX && encryption)
    throw failed('a Factur-X invoice is PDF/A-3, which is incompatible with encryption');
  if (pdfa !== '' && embeds.length > 0 && !isPart3)
    throw failed(
      `PDF format '${pdfa}' does not support embedded files; only PDF/A-3 variants allow attachments`,
    );
  if (facturX && pdfa !== '' && !isPart3)
    throw failed(`Factur-X requires a PDF/A-3 variant (PDF/A-3a, PDF/A-3b, or PDF/A-3u), got '${pdfa}'`);
}

/** Returns the split of a request; `undefined` if it has none. */
export function readSplit({
  splitMode,
  splitSpan,
  splitUnify,
}: FieldValues<ReturnType<typeof splitFields>>): Split | undefined {
  if (splitMode === '') return undefined;
  if (splitSpan === '') throw failed("form field 'splitSpan' is required");
  return splitMode === 'intervals'
    ? { mode: 'intervals', span: Number(splitSpan) }
    : { mode: 'pages', span: splitSpan, unify: splitUnify };
}

const MAX_MARKS = 50;

/**
 * Reads the watermarks or the stamps. Their fields can be repeated, and belong together by their position;
 * images and PDFs take the files in the order of the body.
 */
export function readMarks(form: Form, kind: 'watermark' | 'stamp'): Mark[] {
  const [expressions, pages, options] = ['Expression', 'Pages', 'Options'].map((end) =>
    form.values(`${kind}${end}`),
  );
  // Some clients name the part in the plural.
  const files = [...form.filesAsSent(kind), ...form.filesAsSent(`${kind}s`)];
  const sources = form.values(`${kind}Source`);
  if (sources.length > MAX_MARKS)
    throw failed(`form field '${kind}Source' has more than ${MAX_MARKS} values`);
  const marks = sources.flatMap((source, index): Mark[] => {
    if (source === '') return [];
    if (source !== 'text' && source !== 'image' && source !== 'pdf')
      throw invalidField(
        `${kind}Source`,
        `got '${source.slice(0, 200)}', resulting to wrong value, expected either 'text', 'image' or 'pdf'`,
      );
    return [
      {
        source,
        expression: expressions?.[index] ?? '',
        file: undefined,
        pages: pages?.[index] ?? '',
        options: readOptions(kind, options?.[index] ?? ''),
      },
    ];
  });
  return marks.map((mark) => {
    if (mark.source === 'text') return mark;
    const file = files.shift();
    if (!file) throw failed(`a ${kind} file is required for image or pdf source`);
    return { ...mark, file: file.content };
  });
}

function readOptions(kind: string, text: string): Mark['options'] {
  if (text === '') return {};
  const invalidOptions = (reason: string) => invalidField(`${kind}Options`, reason);
  let value: unknown;
  try {
    value = parseGoJson(text);
  } catch (error) {
    throw invalidOptions(`unmarshal ${kind}Options: ${messageOf(error)}`);
  }
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw invalidOptions('must be a JSON object such as {"opacity":"0.5"}');
  const [wrong] = Object.entries(value).find(([, each]) => typeof each !== 'string') ?? [];
  if (wrong !== undefined)
    throw invalidOptions(`the option '${wrong.slice(0, 50)}' must be a string, such as "1"`);
  return value as Mark['options'];
}

/** Returns the files to embed. */
export function readEmbeds({ embeds, embedsMetadata }: Pick<Values, 'embeds' | 'embedsMetadata'>): Embed[] {
  return embeds.map(({ name, content }) => {
    const { mimeType, relationship } = (Object.hasOwn(embedsMetadata, name) && embedsMetadata[name]) || {};
    return { name, data: content, mimeType, relationship };
  });
}

/** Returns the passwords and the permissions; `undefined` without a password. */
export function readEncryption(values: FieldValues<typeof encryptFields>): Encryption | undefined {
  const { userPassword, ownerPassword } = values;
  const permissions = {
    printing: values.allowPrinting,
    copying: values.allowCopying,
    modifying: values.allowModifying,
    annotating: values.allowAnnotating,
    filling: values.allowFillingForms,
    assembling: values.allowAssembling,
  };
  if (userPassword !== '' || ownerPassword !== '') return { userPassword, ownerPassword, ...permissions };
  if (Object.values(permissions).includes(false))
    throw failed("permission restrictions require a 'userPassword' or 'ownerPassword'");
  return undefined;
}

/** Returns the invoice; `undefined` if there is none. */
export function readFacturX(values: FieldValues<typeof facturXFields>): FacturX | undefined {
  const [file] = values.facturxXml;
  const level = values.facturxConformanceLevel;
  if (!file && level === '') return undefined;
  if (level === '') throw failed("'facturxConformanceLevel' is required when 'facturxXml' is provided");
  if (!file) throw failed("'facturxXml' file is required when 'facturxConformanceLevel' is set");
  return {
    xml: file.content,
    level: level as FacturX['level'],
    documentType: values.facturxDocumentType as FacturX['documentType'],
    version: values.facturxVersion,
  };
}
