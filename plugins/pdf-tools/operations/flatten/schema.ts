import { OutputChoice, PdfInput, resultFields, Type } from '../../../../src/plugin.ts';

/** The body of `POST /v1/pdf/flatten`. */
export const FlattenBody = Type.Object(
  { pdf: PdfInput, output: OutputChoice, ...resultFields },
  { additionalProperties: false, title: 'FlattenRequest' },
);
