import { useEffect, useRef, useState } from 'preact/hooks';
import { retrying, send } from '../data/api.ts';
import { Icon } from './icon.tsx';

/**
 * Renders the image of a page of a stored document. The image is loaded when it becomes visible, and a
 * request over the rate limit is retried.
 */
export function PageImage(props: { url: string; alt: string }) {
  const frame = useRef<HTMLSpanElement>(null);
  const [shown, setShown] = useState<{ from: string; url: string }>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const controller = new AbortController();
    const { signal } = controller;
    let made: string | undefined;
    const load = async () => {
      const response = await retrying(() => send('GET', props.url, undefined, { signal }), signal);
      made = URL.createObjectURL(await response.blob());
      if (signal.aborted) return URL.revokeObjectURL(made);
      setFailed(false);
      setShown({ from: props.url, url: made });
    };
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      load().catch(() => {
        if (!signal.aborted) setFailed(true);
      });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      controller.abort();
      if (made) URL.revokeObjectURL(made);
    };
  }, [props.url]);
  return (
    <span class="page-image" ref={frame}>
      {shown && !hasFailed ? (
        <img class={shown.from === props.url ? 'sheet' : 'sheet is-old'} src={shown.url} alt={props.alt} />
      ) : hasFailed ? (
        <span class="sheet blank" role="img" aria-label="No image">
          <Icon name="warning" />
        </span>
      ) : (
        <span class="sheet skeleton" />
      )}
    </span>
  );
}
