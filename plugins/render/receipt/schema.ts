import { Type, type TSchema } from '../../../src/plugin.ts';

const text = (description: string) => Type.String({ description });
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const bounded = <T extends TSchema>(entry: T) =>
  Type.Object({
    entries: Type.Array(entry),
    omitted: Type.Integer({ description: 'How many more there were.' }),
  });

/** A receipt on the wire. */
export const ReceiptAnswer = Type.Object(
  {
    class: nullable(text('`plain`: printed without scripts and network; `active`: with both.')),
    phases: Type.Record(Type.String(), Type.Number(), {
      description:
        'Milliseconds of `queue`, `template`, `start` (getting a page), `react`, `header`, `load`, `print`, `archive`, `store`, as far as they were.',
    }),
    resources: bounded(
      Type.Object({
        url: text('Without user, query and fragment; empty for a font of which only the name is known.'),
        type: text('`Image`, `Stylesheet`, `Font`, `Script`, `Fetch` …'),
        outcome: text(
          '`loaded`, `failed`, `refused` (by the egress guard), `broken` (there is no image, style sheet, script or font at the address), `pending`.',
        ),
        reason: nullable(Type.String()),
        status: nullable(Type.Integer({ description: 'HTTP status.' })),
        bytes: nullable(Type.Integer()),
        ms: nullable(Type.Integer()),
      }),
    ),
    console: bounded(Type.Object({ level: text('`warning` or `error`.'), text: Type.String() })),
    exceptions: bounded(
      Type.Object({
        message: Type.String(),
        line: nullable(Type.Integer()),
        column: nullable(Type.Integer()),
      }),
    ),
    missing_glyphs: nullable(
      Type.Object(
        {
          count: Type.Integer({ description: 'How many boxes stand in the PDF in place of characters.' }),
          characters: Type.Array(Type.String(), { description: 'Characters that no font had.' }),
        },
        { description: 'null when there is no PDF.' },
      ),
    ),
    schema_mismatches: bounded(
      Type.Object({
        path: text('The variable.'),
        expected: text("Its type in the template's schema."),
        found: text('What the data have; `missing` when nothing.'),
      }),
    ),
  },
  { description: 'With `?receipt=true`; null when there is none, or none any more.' },
);
