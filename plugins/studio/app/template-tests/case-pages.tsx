import { useState } from 'preact/hooks';
import type { CheckedCase, TemplateCase } from '../data/types.ts';
import { Segments } from '../ui/controls.tsx';
import { PageImage } from '../ui/page-image.tsx';
import { PageTurner } from '../ui/page-turner.tsx';
import { pageOf, type ComparedPage } from './cases.ts';
import { PageSlider } from './page-slider.tsx';

/** The width of the images of accepted pages, which is about that of the images of a check. */
const WIDTH_PX = 1200;

type View = 'slider' | 'differences' | 'accepted' | 'new';

const LABELS: Readonly<Record<View, string>> = {
  slider: 'Slider',
  differences: 'Differences',
  accepted: 'Accepted',
  new: 'New',
};

const share = new Intl.NumberFormat('en', { style: 'percent', maximumSignificantDigits: 2 });

/** Renders the pages of a case one at a time, and compares the pages that differ. */
export function CasePages({ entry, result }: { entry: TemplateCase; result: CheckedCase | undefined }) {
  const pages = Math.max(entry.accepted?.pages ?? 0, result?.pages.length ?? 0);
  const [page, setPage] = useState(() => result?.pages.find(({ equal }) => !equal)?.page ?? 1);
  const [wanted, setWanted] = useState<View>('slider');
  if (pages === 0)
    return (
      <p class="note">
        {result ? 'This case has no pages.' : 'Run the tests to see the pages of this case.'}
      </p>
    );
  const compared = pageOf(entry, result, { page, widthPx: WIDTH_PX });
  const views = viewsOf(compared);
  const view = views.includes(wanted) ? wanted : views[0];
  return (
    <section class="case-pages" aria-label="Pages">
      <div class="case-pages-bar">
        <PageTurner page={page} pages={pages} onPage={setPage} />
        {views.length > 1 && view && (
          <Segments
            label="Show"
            value={view}
            choices={views.map((each) => [each, LABELS[each]] as const)}
            onValue={setWanted}
          />
        )}
        <span class="soft" role="status">
          {describe(compared)}
        </span>
      </div>
      <div class="case-page" tabIndex={0} role="group" aria-label={`Page ${page} of the case`}>
        {view && <Page key={`${page} ${view}`} view={view} compared={compared} />}
      </div>
    </section>
  );
}

function Page({ view, compared }: { view: View; compared: ComparedPage }) {
  const { page, accepted, current, differences } = compared;
  if (view === 'slider' && accepted && current)
    return <PageSlider page={page} acceptedUrl={accepted} newUrl={current} />;
  if (view === 'differences' && differences)
    return <PageImage url={differences} alt={`Differences of page ${page}`} />;
  const url = view === 'accepted' ? accepted : current;
  return url ? <PageImage url={url} alt={`${LABELS[view]} page ${page}`} /> : null;
}

/** Lists the views of a page. An unchanged page has one, because its pictures are the same. */
function viewsOf({ accepted, current, differences, found }: ComparedPage): View[] {
  if (found?.equal) return [current ? 'new' : 'accepted'];
  const views: [View, unknown][] = [
    ['slider', accepted && current],
    ['differences', differences],
    ['accepted', accepted],
    ['new', current],
  ];
  return views.filter(([, image]) => image).map(([view]) => view);
}

function describe({ accepted, current, found }: ComparedPage): string {
  if (!found) return 'This is the accepted page.';
  if (found.equal) return 'This page is equal to the accepted one.';
  if (!accepted) return 'This page is new.';
  if (!current && !found.diff_url) return 'The document no longer has this page.';
  return `${share.format(found.changed_fraction)} of this page differs.`;
}
