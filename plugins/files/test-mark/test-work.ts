import { workContext } from '../../../src/plugin.ts';

/** Tells whether the work that runs was requested with a test key. */
export function isTestWork(): boolean {
  return workContext.getStore()?.isTest === true;
}
