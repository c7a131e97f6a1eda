import React from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

/**
 * Renders a component once, as on a server: state has its first value and effects do not run. The data are the props as they
 * are, so that `key` and `ref` in them are names like any other, which `createElement` would take away.
 */
export function renderToMarkup(component: React.ComponentType, data: object): string {
  return renderToStaticMarkup({ ...React.createElement(component), props: data });
}
