import React from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as server from 'react-dom/server';

/** The modules that a component can import. */
export const MODULES: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['react', React],
  ['react/jsx-runtime', jsxRuntime],
  ['react-dom/server', server],
]);

/** Returns the message for a module that does not exist. */
export function explainMissing(name: string): string {
  return `"${name}" cannot be imported; available are ${[...MODULES.keys()].join(', ')}`;
}
