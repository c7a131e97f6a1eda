import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { ApiError, canRetry, reasonOf } from '../data/api.ts';
import { capitalise } from '../data/format.ts';
import type { Resource } from '../data/resource.ts';
import { Button } from './controls.tsx';
import { Icon, type IconName } from './icon.tsx';

/** Renders the head of a view: title, an explanation and actions. Sets the title of the window. */
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

/** Sets the title of the window. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Platen`;
  }, [title]);
}

/** Renders the state of a list without entries. */
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

/** Renders a failure, with a button that tries again if that can help. */
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

/** Renders loaded data, or its loading or error state. */
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

/** Renders a state as a coloured word. */
export function Status({ value }: { value: string }) {
  return <span class={`status ${value}`}>{capitalise(value)}</span>;
}

/** Renders an error of a form. */
export function FormError({ error }: { error: string }) {
  if (!error) return null;
  return (
    <p class="form-error" role="alert">
      <Icon name="error" />
      <span>{error}</span>
    </p>
  );
}
