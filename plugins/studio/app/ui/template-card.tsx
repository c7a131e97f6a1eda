import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { loadTemplateImage } from '../data/template-images.ts';
import { useMay } from '../data/session.ts';
import type { TemplateSummary } from '../data/types.ts';
import { Icon } from './icon.tsx';

/**
 * Renders the first page of a template, which is printed when it becomes visible. The service prints no pages
 * for viewers, who see an icon.
 */
export function TemplateImage({
  template,
  from = '/v1/templates',
}: {
  template: Pick<TemplateSummary, 'id' | 'version' | 'updated_at' | 'partial'>;
  /** The path from which the template is read. */
  from?: '/v1/templates' | '/v1/marketplace';
}) {
  const frame = useRef<HTMLSpanElement>(null);
  const [url, setUrl] = useState<string>();
  const [hasFailed, setFailed] = useState(false);
  const mayPrint = useMay()('editor');
  useEffect(() => {
    if (!frame.current || template.partial || !mayPrint) return;
    const controller = new AbortController();
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      loadTemplateImage({ template, from, signal: controller.signal }).then(setUrl, () => {
        if (!controller.signal.aborted) setFailed(true);
      });
    });
    observer.observe(frame.current);
    return () => {
      observer.disconnect();
      controller.abort();
    };
  }, [template.id, template.version, template.updated_at]);
  return (
    <span class="sheet-frame" ref={frame}>
      {url ? (
        <img class="sheet" src={url} alt="" />
      ) : template.partial || hasFailed ? (
        <span class="sheet blank">
          <Icon name={hasFailed ? 'warning' : 'code'} size={20} />
          <small>{hasFailed ? 'No preview' : 'Partial'}</small>
        </span>
      ) : !mayPrint ? (
        <span class="sheet blank">
          <Icon name="template" size={20} />
        </span>
      ) : (
        <span class="sheet skeleton" />
      )}
    </span>
  );
}

/** Renders a card with a page image, a title and a line of text. The whole card is the link or button. */
export function Card(props: {
  title: string;
  text: ComponentChildren;
  image: ComponentChildren;
  href?: string;
  onClick?: () => void;
  isBusy?: boolean;
}) {
  const content = (
    <>
      {props.image}
      <span class="card-text">
        <strong>{props.title}</strong>
        <small>{props.text}</small>
      </span>
    </>
  );
  return props.href ? (
    <a class="card" href={props.href}>
      {content}
    </a>
  ) : (
    <button type="button" class="card" aria-busy={props.isBusy} onClick={props.onClick}>
      {content}
    </button>
  );
}
