import React from 'react';
import type { ModuleFunction } from './compile.ts';
import { ModuleFault } from './faults.ts';
import { explainMissing, MODULES } from './modules.ts';

const KINDS = new Set([Symbol.for('react.memo'), Symbol.for('react.forward_ref')]);

/**
 * Runs a module and returns its default export.
 * @throws {ModuleFault} when it is not a component.
 * @throws anything that the module throws.
 */
export function loadComponent(run: ModuleFunction): React.ComponentType {
  // Supports sources that use `React.useState` without an import.
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
  throw new ModuleFault(explainMissing(name));
}

function isComponent(value: unknown): value is React.ComponentType {
  if (typeof value === 'function') {
    if (Object.prototype.toString.call(value) !== '[object AsyncFunction]') return true;
    throw new ModuleFault(
      'the default export is an async function: components must be synchronous; fetch the data first and send it as `data`',
    );
  }
  return KINDS.has((value as { $$typeof?: symbol } | null | undefined)?.$$typeof ?? Symbol.iterator);
}

function explain(value: unknown, names: string[]): string {
  if (value === undefined) {
    const others = names.length > 0 ? ` (it exports ${names.join(', ')})` : '';
    return `the module has no default export${others}; write "export default" before the component`;
  }
  if (React.isValidElement(value))
    return 'the default export is an element; export the component: a function that returns it';
  return `the default export must be a component, a function that returns elements; it is ${value === null ? 'null' : `of type ${typeof value}`}`;
}
