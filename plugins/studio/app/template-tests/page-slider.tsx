import { useState } from 'preact/hooks';
import { PageImage } from '../ui/page-image.tsx';

/**
 * Renders the accepted page and the new page on top of each other, with a line between them that the pointer or
 * the arrow keys move: the accepted page shows on its left, the new one on its right.
 */
export function PageSlider(props: { page: number; acceptedUrl: string; newUrl: string }) {
  const { page, acceptedUrl, newUrl } = props;
  const [at, setAt] = useState(50);
  return (
    <div class="page-slider" style={{ '--at': `${at}%` }}>
      <div class="slider-names" aria-hidden="true">
        <span>Accepted</span>
        <span>New</span>
      </div>
      <div class="slider-pages">
        <PageImage url={acceptedUrl} alt={`Accepted page ${page}`} />
        <span class="slider-new">
          <PageImage url={newUrl} alt={`New page ${page}`} />
        </span>
        <span class="slider-line" aria-hidden="true" />
        <input
          type="range"
          min={0}
          max={100}
          value={at}
          aria-label={`Line between the accepted and the new page ${page}`}
          aria-valuetext={`${at}% accepted, ${100 - at}% new`}
          onInput={(event) => setAt(event.currentTarget.valueAsNumber)}
        />
      </div>
    </div>
  );
}
