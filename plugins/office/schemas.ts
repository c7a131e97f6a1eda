import { Type } from '../../src/plugin.ts';
import { conversionFields } from '../documents/exports.ts';
import { OutputChoice, resultFields } from '../files/exports.ts';

/** The body of `POST /v1/pdf/convert`. */
export const ConvertBody = Type.Object(
  { ...conversionFields, output: OutputChoice, ...resultFields },
  { additionalProperties: false, title: 'ConvertRequest' },
);
