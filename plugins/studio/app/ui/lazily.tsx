import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { reasonOf } from '../data/api.ts';
import { toast } from './toast.tsx';

/** Returns a component whose module is loaded when the component is first shown. */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [, update] = useState(0);
    useEffect(() => {
      if (loaded) return;
      load().then(
        (component) => {
          loaded = component;
          update((count) => count + 1);
          return component;
        },
        (error: unknown) => toast(reasonOf(error), { kind: 'error' }),
      );
    }, []);
    const Component = loaded;
    return Component ? <Component {...props} /> : null;
  };
}
