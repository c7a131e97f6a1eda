import React from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as server from 'react-dom/server';

/** All that a component's source can import. */
export const MODULES: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['react', React],
  ['react/jsx-runtime', jsxRuntime],
  ['react-dom/server', server],
]);

/** Says that a module is not there, and which are. */
export function explainMissing(name: string): string {
  return `"${name}" cannot be imported; available are ${[...MODULES.keys()].join(', ')}`;
}
