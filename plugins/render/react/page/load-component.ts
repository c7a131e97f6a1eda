import React from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as server from 'react-dom/server';
import type { ModuleFunction } from './compile.ts';

/** Thrown for a source that is not the module it should be; the message is for its author. */
export class ModuleFault extends Error {
  override name = 'ModuleFault';
}

const MODULES = new Map<string, unknown>([
  ['react', React],
  ['react/jsx-runtime', jsxRuntime],
  ['react-dom/server', server],
]);

const KINDS = new Set([Symbol.for('react.memo'), Symbol.for('react.forward_ref')]);

/** Runs a module and returns its default export. @throws {ModuleFault} when that is no component, and whatever the module throws. */
export function loadComponent(run: ModuleFunction): React.ComponentType {
  // For sources that write `React.useState` without an import.
  Object.assign(globalThis, { React });
  const module = { exports: {} as Record<string, unknown> };
  run(requireModule, module, module.exports);
  const { default: component, ...named } = module.exports;
  if (isComponent(component)) return component;
  throw new ModuleFault(explain(component, Object.keys(named)));
}

function requireModule(name: string): unknown {
  const found = MODULES.get(name);
  if (found) return found;
  throw new ModuleFault(`"${name}" cannot be imported; available are ${[...MODULES.keys()].join(', ')}`);
}

function isComponent(value: unknown): value is React.ComponentType {
  if (typeof value === 'function') {
    if (Object.prototype.toString.call(value) !== '[object AsyncFunction]') return true;
    throw new ModuleFault(
      'the default export is an async function: a component returns its elements at once; fetch before and send `data`',
    );
  }
  return KINDS.has((value as { $$typeof?: symbol } | null | undefined)?.$$typeof ?? Symbol.iterator);
}

function explain(value: unknown, names: string[]): string {
  if (value === undefined) {
    const others = names.length > 0 ? ` (exported are ${names.join(', ')})` : '';
    return `there is no default export${others}; write "export default" before the component`;
  }
  if (React.isValidElement(value))
    return 'the default export is an element; export the component: a function that returns it';
  return `the default export must be a component, a function that returns elements; it is ${value === null ? 'null' : `of type ${typeof value}`}`;
}
