import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { ApiError, canRetry, reasonOf } from '../data/api.ts';
import { capitalise } from '../data/format.ts';
import type { Resource } from '../data/resource.ts';
import { Button } from './controls.tsx';
import { Icon, type IconName } from './icon.tsx';

/** Renders the head of a view: its title, an explanation and actions. Sets the title of the browser page. */
export function ViewHead({
  title,
  text,
  children,
}: {
  title: string;
  text?: string;
  children?: ComponentChildren;
}) {
  useTitle(title);
  return (
    <header class="view-head">
      <div>
        <h1>{title}</h1>
        {text && <p class="soft">{text}</p>}
      </div>
      {children && <div class="view-actions">{children}</div>}
    </header>
  );
}

/** Sets the title of the browser page. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Platen`;
  }, [title]);
}

/** Renders a message in place of a list without entries. */
export function Empty(props: {
  icon: IconName;
  title: string;
  text: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={props.icon} size={20} />
      </span>
      <h2>{props.title}</h2>
      <p>{props.text}</p>
      {props.children && <div class="row">{props.children}</div>}
    </div>
  );
}

/** Renders the failure to load data, with a button that tries again if another attempt may succeed. */
export function Failure({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const isMissing = error instanceof ApiError && error.status === 404;
  return (
    <div class="empty failure" role="alert">
      <span class="empty-icon">
        <Icon name="warning" size={20} />
      </span>
      <h2>{isMissing ? 'This does not exist' : 'This could not be loaded'}</h2>
      <p>{reasonOf(error)}</p>
      {retry && canRetry(error) && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

/** Renders grey bars in place of rows that are being loaded. */
function SkeletonRows({ count = 6 }: { count?: number }) {
  return (
    <div class="skeleton-rows" role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} class="skeleton" />
      ))}
    </div>
  );
}

/** Renders loaded data, placeholders while the data is loaded, or the failure to load it. */
export function Loaded<T>(props: {
  from: Resource<T>;
  skeleton?: ComponentChildren;
  children: (data: T) => ComponentChildren;
}) {
  const { data, error, reload } = props.from;
  if (data !== undefined) return <>{props.children(data)}</>;
  if (error !== undefined) return <Failure error={error} retry={reload} />;
  return <>{props.skeleton ?? <SkeletonRows />}</>;
}

/** Renders a status as a coloured word. */
export function Status({ value }: { value: string }) {
  return <span class={`status ${value}`}>{capitalise(value)}</span>;
}

/** Renders the error of a form, or nothing if the text is empty. */
export function FormError({ error }: { error: string }) {
  if (!error) return null;
  return (
    <p class="form-error" role="alert">
      <Icon name="error" />
      <span>{error}</span>
    </p>
  );
}
