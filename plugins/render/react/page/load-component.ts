import React from 'react';
import type { ModuleFunction } from './compile.ts';
import { ModuleFault } from './faults.ts';
import { explainMissing, MODULES } from './modules.ts';

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
  throw new ModuleFault(explainMissing(name));
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
