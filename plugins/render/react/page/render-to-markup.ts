import React from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

/**
 * Renders a component once, as on a server: state has its initial value, and effects do not run. The data is
 * passed as the props directly, because `createElement` would remove `key` and `ref`.
 */
export function renderToMarkup(component: React.ComponentType, data: object): string {
  return renderToStaticMarkup({ ...React.createElement(component), props: data });
}
