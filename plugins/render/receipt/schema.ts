import { nullable, Type, type TSchema } from '../../../src/plugin.ts';
import { ProofResponse } from '../../files/exports.ts';

const text = (description: string) => Type.String({ description });
const bounded = <T extends TSchema>(entry: T) =>
  Type.Object({
    entries: Type.Array(entry),
    omitted: Type.Integer({ description: 'The number of further entries.' }),
  });

/** The receipt of a generation in responses. */
export const ReceiptResponse = Type.Object(
  {
    class: nullable(text('`plain`: printed without scripts and network; `active`: printed with both.')),
    phases: Type.Record(Type.String(), Type.Number(), {
      description:
        'The milliseconds of each phase that took place: `queue`, `template`, `start` (opening a browser page), `react`, `header`, `load`, `wait` (`options.waitFor`), `print`, `assemble` (separate headers, the order of pages, the steps of a pipeline), `archive` (PDF/A), `tag` (PDF/UA), `store`.',
    }),
    resources: bounded(
      Type.Object({
        url: text('Without user, query and fragment; empty for a font of which only the name is known.'),
        type: text('`Image`, `Stylesheet`, `Font`, `Script`, `Fetch` …'),
        outcome: text(
          '`loaded`, `failed`, `refused` (by the egress guard), `broken` (not a valid image, style sheet, script or font), `pending`.',
        ),
        reason: nullable(
          text('Why the resource was not loaded, such as `the server responded with 404 (text/html)`.'),
        ),
        status: nullable(Type.Integer({ description: 'HTTP status of the server.' })),
        mime_type: nullable(text('Media type of the response, such as `image/png`.')),
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
          count: Type.Integer({ description: 'The number of boxes in the PDF that replace characters.' }),
          characters: Type.Array(Type.String(), { description: 'The characters that no font covers.' }),
        },
        { description: 'null when no PDF was checked.' },
      ),
    ),
    schema_mismatches: bounded(
      Type.Object({
        path: text('The variable.'),
        expected: text("Its type in the template's schema."),
        found: text('The type of the value in the data; `missing` when there is no value.'),
      }),
    ),
    missing_variables: bounded(
      Type.Object({
        path: text('The variable in the data, such as `items[2].price`.'),
        count: Type.Integer({
          description: 'The number of items of a list that lack it; 1 outside of lists.',
        }),
      }),
    ),
    overflow: nullable(
      Type.Object(
        {
          scale: Type.Number({
            description: 'The factor by which the document was shrunk to the width of the page.',
          }),
          clipped: Type.Boolean({ description: 'Whether the content may still be wider than the page.' }),
        },
        { description: 'null when the content is not wider than the page, and for images.' },
      ),
    ),
    proof: nullable(ProofResponse),
    accessibility: Type.Optional(
      Type.Object(
        {
          claim: nullable(text('`pdfua-1` when a check has confirmed that the PDF conforms to PDF/UA-1.')),
          findings: bounded(
            Type.Object({
              path: text('The CSS path of the element, or a clause of ISO 14289-1.'),
              code: text(
                '`TITLE_MISSING`, `LANGUAGE_MISSING`, `ALT_MISSING`, `HEADING_ORDER`, `LINK_EMPTY`, `LABEL_MISSING`, `DRAWN_AS_PICTURE`, `LOW_CONTRAST`, or `NOT_ACCESSIBLE` for a clause.',
              ),
              severity: text('`error` or `warning`.'),
              message: Type.String(),
            }),
          ),
        },
        { description: 'Absent without `options.accessible`.' },
      ),
    ),
  },
  {
    title: 'Receipt',
    description: 'Present with `?receipt=true`; null when there is no receipt or it has expired.',
  },
);
