import { formatCountOf, formatMoment, formatSize } from '../../data/format.ts';
import { Fact } from '../../ui/fact.tsx';
import type { Tool } from '../operation.ts';

/** Shows the properties of a file. */
export const info: Tool = {
  slug: 'info',
  name: 'Show properties',
  text: 'See the title, the page sizes, the PDF version and other properties of a file.',
  icon: 'search',
  group: 'Properties',
  order: 1,
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
