import { formatCountOf, formatMoment, formatSize } from '../data/format.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { Field, Select } from '../ui/controls.tsx';
import { Fact } from '../ui/fact.tsx';
import { filledIn, textOf, type Tool } from './operation.ts';
import { Verdict } from './verdict.tsx';

/** Shows the properties of a file. */
export const info: Tool = {
  slug: 'info',
  name: 'Show properties',
  text: 'See the title, the page sizes, the PDF version and other properties of a file.',
  icon: 'search',
  action: 'Show the properties',
  initial: {},
  request: (_, [file]) => ({ path: '/v1/pdf/info', body: { pdf: file?.id }, returnsJson: true }),
  report: (result) => <InfoReport {...(result as Info)} />,
};

interface Info extends Record<
  'title' | 'author' | 'subject' | 'creator' | 'producer' | 'pdf_version',
  string
> {
  pages: number;
  creation_date: string | null;
  modification_date: string | null;
  file_size: number;
  encrypted: boolean;
  page_sizes: { width: number; height: number; count: number }[];
  has_form: boolean;
  has_signatures: boolean;
  tagged: boolean;
  pdfa: string | null;
}

function InfoReport(found: Info) {
  const sizes = found.page_sizes.map(
    ({ width, height, count }) =>
      `${Math.round(width)} × ${Math.round(height)} pt (${formatCountOf(count, 'page')})`,
  );
  const yesOrNo = (value: boolean) => (value ? 'Yes' : 'No');
  const facts = {
    Title: found.title,
    Author: found.author,
    Subject: found.subject,
    Length: formatCountOf(found.pages, 'page'),
    'Page sizes': sizes.join(', '),
    Size: formatSize(found.file_size),
    'PDF version': found.pdf_version,
    'PDF/A level in the metadata': found.pdfa ?? '',
    Created: found.creation_date ? formatMoment(found.creation_date) : '',
    Changed: found.modification_date ? formatMoment(found.modification_date) : '',
    'Made by': found.creator,
    'Written by': found.producer,
    'Has form fields': yesOrNo(found.has_form),
    'Has signatures': yesOrNo(found.has_signatures),
    'Tagged for accessibility': yesOrNo(found.tagged),
    Encrypted: yesOrNo(found.encrypted),
  };
  return (
    <section class="panel facts in-flow" aria-label="Properties">
      <dl>
        {Object.entries(facts).map(
          ([label, value]) =>
            value !== '' && (
              <Fact key={label} label={label}>
                {value}
              </Fact>
            ),
        )}
      </dl>
    </section>
  );
}

/** Extracts the text of a file. */
export const text: Tool = {
  slug: 'text',
  name: 'Extract text',
  text: 'Read the text of all pages, plain or as Markdown.',
  icon: 'template',
  action: 'Extract the text',
  initial: { pages: '', format: 'plain' },
  request: (values, [file]) => ({
    path: '/v1/pdf/text',
    body: { pdf: file?.id, format: values['format'], ...filledIn(values, ['pages']) },
    returnsJson: true,
  }),
  form: (values, set) => (
    <div class="form-grid">
      <Field
        label="Pages (optional)"
        placeholder="1-3, 5"
        value={textOf(values, 'pages')}
        onValue={(pages) => set({ pages })}
      />
      <Select
        label="Format"
        value={textOf(values, 'format')}
        choices={[
          ['plain', 'Plain text'],
          ['markdown', 'Markdown'],
        ]}
        onValue={(format) => set({ format })}
      />
    </div>
  ),
  report: (result) => {
    const { pages } = result as { pages: { text: string }[] };
    return <CodeBlock label="Text of the file" code={pages.map((page) => page.text).join('\n\n')} />;
  },
};

/** Draws pages as images, which are downloaded as a zip archive. */
export const images: Tool = {
  slug: 'images',
  name: 'Pages as images',
  text: 'Draw pages as PNG, JPEG or WebP images.',
  icon: 'assets',
  action: 'Draw the images',
  hidesPages: 'The images are in a zip archive.',
  initial: { pages: '', type: 'png', dpi: '100' },
  request: (values, [file]) => ({
    path: '/v1/pdf/images',
    body: {
      pdf: file?.id,
      type: values['type'],
      dpi: Number(values['dpi']),
      ...filledIn(values, ['pages']),
    },
  }),
  form: (values, set) => (
    <>
      <Field
        label="Pages (optional)"
        placeholder="1-3, 5"
        value={textOf(values, 'pages')}
        onValue={(pages) => set({ pages })}
      />
      <div class="form-grid">
        <Select
          label="Format"
          value={textOf(values, 'type')}
          choices={[
            ['png', 'PNG'],
            ['jpeg', 'JPEG'],
            ['webp', 'WebP'],
          ]}
          onValue={(type) => set({ type })}
        />
        <Select
          label="Resolution"
          value={textOf(values, 'dpi')}
          choices={[
            ['72', '72 dpi'],
            ['100', '100 dpi'],
            ['150', '150 dpi'],
            ['300', '300 dpi'],
          ]}
          onValue={(dpi) => set({ dpi })}
        />
      </div>
    </>
  ),
};

interface Comparison {
  equal: boolean;
  pages: {
    page: number;
    equal: boolean;
    changed_fraction: number;
    only_in?: number;
    image_url?: string;
  }[];
}

/** Compares two files page by page. */
export const compare: Tool = {
  slug: 'compare',
  name: 'Compare',
  text: 'See on which pages two files look different.',
  icon: 'copy',
  action: 'Compare',
  isMany: true,
  initial: {},
  request: (_, files) =>
    files.length !== 2
      ? 'Add exactly two files.'
      : { path: '/v1/pdf/compare', body: { pdfs: files.map(({ id }) => id) }, returnsJson: true },
  report: (result) => <CompareReport {...(result as Comparison)} />,
};

function CompareReport({ equal, pages }: Comparison) {
  const different = pages.filter((page) => !page.equal);
  return (
    <Verdict
      outcome={equal ? 'good' : 'bad'}
      title={
        equal
          ? 'The files look the same'
          : `${formatCountOf(different.length, 'page')} of ${pages.length} differ`
      }
    >
      {different.length > 0 && (
        <ul class="problems">
          {different.map(({ page, changed_fraction: changed, only_in: only, image_url: image }) => (
            <li key={page}>
              Page {page}:{' '}
              {only === undefined
                ? `${(changed * 100).toFixed(1)} % of the page differ`
                : `only the ${only === 0 ? 'first' : 'second'} file has this page`}
              {image && (
                <small>
                  <a href={image}>Show the differences</a>
                </small>
              )}
            </li>
          ))}
        </ul>
      )}
    </Verdict>
  );
}
