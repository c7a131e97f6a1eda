import { Button } from './controls.tsx';

/**
 * Renders the number of the current page between buttons for the previous and the next page. Pages count from
 * 1.
 */
export function PageTurner(props: { page: number; pages: number; onPage: (page: number) => void }) {
  const { page, pages, onPage } = props;
  return (
    <div class="page-turner">
      <Button
        kind="quiet"
        size="small"
        icon="left"
        aria-label="Previous page"
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      <span>
        Page {page} of {pages}
      </span>
      <Button
        kind="quiet"
        size="small"
        icon="right"
        aria-label="Next page"
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      />
    </div>
  );
}
