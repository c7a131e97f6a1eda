import { nullable, pageOf, pageQuery, Timestamp, Type } from '../../src/plugin.ts';
import { MAX_TEMPLATE_CHARACTERS, versionChoice } from '../documents/exports.ts';
import { PdfInput } from '../files/exports.ts';
import { optionsAndSampleFields, optionsAndSampleProperties } from '../templates/exports.ts';

/** The maximum number of cases of a template. */
export const MAX_CASES = 100;

const CaseName = Type.String({ minLength: 1, maxLength: 64, expected: 'the name of a case' });

const options = {
  ...optionsAndSampleFields.options,
  description:
    'Options of `POST /v1/generate` that apply after those of the template, at most 65536 bytes of JSON.',
};

/** The body of `PUT /v1/templates/:id/cases/:name`. */
export const CaseBody = Type.Object(
  {
    data: optionsAndSampleFields.sample_data,
    options,
    accepted: Type.Optional({
      ...PdfInput,
      description:
        'A PDF whose pages become the accepted ones: base64, or the id of a file or generation. Without it, the accepted pages stay as they are.',
    }),
  },
  { additionalProperties: false, title: 'TemplateCaseRequest' },
);

/** The query of `GET /v1/templates/:id/cases`. */
export const CaseQuery = pageQuery(50);

const BrowserChange = nullable(
  Type.Object(
    {
      from: Type.String({ description: 'The version of Chromium with which the service printed before.' }),
      to: Type.String(),
      status: Type.Union([Type.Literal('equal'), Type.Literal('different'), Type.Literal('failed')], {
        title: 'BrowserChangeStatus',
      }),
      checked_at: Timestamp,
    },
    {
      title: 'BrowserChange',
      description:
        'Whether the version of Chromium to which the service changed prints the accepted pages. null before the check, and once the case changes or other pages are accepted.',
    },
  ),
);

/** The query of `GET /v1/browser-changes`. */
export const BrowserChangeQuery = Type.Object({
  ...pageQuery(50).properties,
  status: Type.Optional(
    Type.Union([Type.Literal('different'), Type.Literal('failed')], {
      title: 'BrowserChangeFilter',
      description: 'Only cases with this status; both when absent.',
    }),
  ),
});

/** A page of the cases whose pages a new version of the browser changes, newest first. */
export const BrowserChangeList = pageOf(
  Type.Object(
    {
      id: Type.String({ description: 'The id of the template, a colon and the name of the case.' }),
      template_id: Type.String(),
      name: Type.String(),
      browser_change: BrowserChange,
    },
    { title: 'ChangedCase' },
  ),
  'BrowserChangeList',
);

/** A case of a template. */
export const CaseResponse = Type.Object(
  {
    name: Type.String(),
    template_id: Type.String(),
    data: optionsAndSampleProperties.sample_data,
    options: optionsAndSampleProperties.options,
    accepted: nullable(
      Type.Object(
        {
          pages: Type.Integer(),
          file_size: Type.Integer({ description: 'Bytes of the PDF.' }),
          url: nullable(
            Type.String({
              description: 'A link to the PDF that needs no API key, valid for 30 days; null for a test key.',
            }),
          ),
          version: nullable(
            Type.Integer({
              description: 'The version of the template that made the pages; null if the PDF was sent.',
            }),
          ),
          chromium: nullable(
            Type.String({
              description: 'The version of Chromium that printed the pages; null if it is unknown.',
            }),
          ),
          accepted_at: Timestamp,
        },
        { title: 'AcceptedPages' },
      ),
    ),
    browser_change: BrowserChange,
    created_at: Timestamp,
    updated_at: Timestamp,
    promoted: Type.Optional(
      Type.Boolean({
        description:
          'Only in the response to an acceptance: whether it made the draft of the template the current version, because all cases pass.',
      }),
    ),
  },
  { title: 'TemplateCase' },
);

/** A page of the cases of a template, newest first. */
export const CaseList = pageOf(CaseResponse, 'TemplateCaseList');

/** The body of `POST /v1/templates/:id/cases/:name/accept`. */
export const AcceptBody = Type.Object(
  {
    version: Type.Optional(
      versionChoice(
        'The version whose pages are accepted, or `draft`; by default the draft if there is one, or else the current version.',
      ),
    ),
  },
  { additionalProperties: false, title: 'AcceptCaseRequest' },
);

/** The body of `POST /v1/templates/:id/check`. */
export const CheckBody = Type.Object(
  {
    html_content: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_TEMPLATE_CHARACTERS,
        expected: `a string of 1 to ${MAX_TEMPLATE_CHARACTERS} characters`,
        description: 'HTML that is checked in place of that of the template, whose options still apply.',
      }),
    ),
    version: Type.Optional(
      versionChoice(
        'The version to check, or `draft`; by default the draft if there is one, or else the current version.',
      ),
    ),
    cases: Type.Optional(
      Type.Array(CaseName, {
        minItems: 1,
        maxItems: MAX_CASES,
        expected: `a list of 1 to ${MAX_CASES} names of cases`,
        description: 'The names of the cases to check; all by default.',
      }),
    ),
  },
  { additionalProperties: false, title: 'CheckTemplateRequest' },
);

const CaseStatus = Type.Union(
  [Type.Literal('equal'), Type.Literal('different'), Type.Literal('new'), Type.Literal('failed')],
  {
    title: 'CaseStatus',
    description:
      'equal: the pages are the accepted ones; different: they are not; new: the case has no accepted pages; failed: the document cannot be made.',
  },
);

const imageUrl = (description: string) =>
  nullable(Type.String({ description: `${description} It needs no API key, and is valid for a day.` }));

/** The response of `POST /v1/templates/:id/check`. */
export const CheckResponse = Type.Object(
  {
    passed: Type.Boolean({ description: 'Whether all checked cases are equal to their accepted pages.' }),
    version: nullable(Type.Integer({ description: 'The checked version; null for `html_content`.' })),
    cases: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          status: CaseStatus,
          error: Type.Optional(
            Type.Object(
              { code: Type.String(), message: Type.String() },
              { title: 'CaseError', description: 'Why the document cannot be made; only of a failed case.' },
            ),
          ),
          pages: Type.Array(
            Type.Object(
              {
                page: Type.Integer({ description: 'The number of the page, from 1.' }),
                equal: Type.Boolean(),
                changed_fraction: Type.Number({
                  description: 'The share of the pixels that differ visibly, from 0 to 1.',
                }),
                image_url: imageUrl(
                  'A PNG of the page; null for a page that the document no longer has, and beyond 200 images.',
                ),
                diff_url: imageUrl(
                  'A PNG that marks the changes; null for equal and new pages, and beyond 200 images.',
                ),
              },
              { title: 'CheckedPage' },
            ),
          ),
          layout: Type.Array(
            Type.Object(
              {
                page: nullable(Type.Integer({ description: 'null for a fact of the whole document.' })),
                finding: Type.String(),
              },
              { title: 'LayoutFinding' },
            ),
            { description: 'The facts of the layout that differ from the accepted pages, in sentences.' },
          ),
        },
        { title: 'CheckedCase' },
      ),
    ),
  },
  { title: 'TemplateCheck' },
);
