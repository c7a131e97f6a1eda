import { formatCountOf } from '../../data/format.ts';
import type { Tool } from '../operation.ts';
import { Verdict } from '../verdict.tsx';

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
  group: 'Pages',
  order: 6,
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
