/**
 * How a template is used: the options it is designed for, and sample data.
 * @module
 */
import { fieldGroup, invalid, RawObject, Type, type JsonValue, type RawJson } from '../../src/plugin.ts';
import { GenerateOptions } from '../documents/exports.ts';
import type { Template, TemplateInput, TemplatesService } from './contract.ts';

/** The maximum size of each text in JSON. Lists read these texts with every template. */
const MAX_BYTES = 65_536;

const options = Type.Union([GenerateOptions, Type.Null()], {
  description: `The options of \`POST /v1/generate\` that the template is designed for, at most ${MAX_BYTES} bytes. They do not apply by themselves: send them with each request that uses the template.`,
});

const description = 'Sample values to send as `data`.';

/** The fields of a request. */
export const optionsAndSampleFields = {
  options: Type.Optional(options),
  sample_data: Type.Optional(RawObject({ description: `${description} At most ${MAX_BYTES} bytes.` })),
};

/** The fields of a response. */
export const optionsAndSampleProperties = fieldGroup('TemplateDefaults', {
  options,
  sample_data: Type.Record(Type.String(), Type.Unknown(), { description }),
});

/**
 * Reads the options and sample data of a request. Absent fields stay absent. `dataField` is the name of the
 * field with the sample data.
 * @throws {AppError} VALIDATION_ERROR for a field that is too long, and for options that cannot be combined
 */
export function readOptionsAndSample(
  fields: { options?: GenerateOptions | null | undefined; sample_data?: RawJson | undefined },
  { checkOptions }: Pick<TemplatesService, 'checkOptions'>,
  dataField = 'sample_data',
): Pick<TemplateInput, 'optionsJson' | 'sampleDataJson'> {
  const { options: given, sample_data: sampleData } = fields;
  if (given) checkOptions(given);
  return {
    ...(given !== undefined && { optionsJson: given && limited('options', JSON.stringify(given)) }),
    // Written anew, because the caller's text may have white space and repeated names.
    ...(sampleData !== undefined && {
      sampleDataJson: JSON.stringify(JSON.parse(limitedText(dataField, sampleData))),
    }),
  };
}

/**
 * Rejects options that cannot be stored, because each request sends them.
 * @throws {AppError} VALIDATION_ERROR that names `options.<name>`
 */
export function requireStorable({ protect, invoice }: GenerateOptions): void {
  if (protect)
    throw invalid('options.protect', 'cannot be stored, because it has passwords: send it with each request');
  if (invoice?.data)
    throw invalid('options.invoice.data', 'cannot be stored: send it with each request, or as data.invoice');
}

/** Decodes a text whose size is checked first. */
function limitedText(path: string, json: RawJson): string {
  if (json.sizeBytes > MAX_BYTES) throw tooLong(path);
  return json.text;
}

function limited(path: string, json: string): string {
  if (Buffer.byteLength(json) > MAX_BYTES) throw tooLong(path);
  return json;
}

function tooLong(path: string) {
  return invalid(path, `must have at most ${MAX_BYTES} bytes of JSON`);
}

/** Options as templates store them: the data of an invoice is sent with each request. */
type StoredOptions = Omit<GenerateOptions, 'invoice'> & {
  invoice?: Omit<NonNullable<GenerateOptions['invoice']>, 'data'>;
};

/**
 * Presents the options and sample data of a template, so that both can be sent with a request as they are.
 */
export function presentOptionsAndSample({
  optionsJson,
  sampleDataJson,
}: Pick<Template, 'optionsJson' | 'sampleDataJson'>): {
  options: StoredOptions | null;
  sample_data: Record<string, JsonValue>;
} {
  return { options: JSON.parse(optionsJson ?? 'null'), sample_data: JSON.parse(sampleDataJson ?? '{}') };
}
