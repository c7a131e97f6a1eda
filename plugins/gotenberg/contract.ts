/**
 * The contract of the plugin: other plugins add routes that the clients of Gotenberg can call. Services name
 * it `gotenberg`.
 * @module
 */
import type { FormRoutes } from './form-route.ts';

export type { FormCall, FormRoute, FormRoutes } from './form-route.ts';
export type { Output, OutputFile } from './respond.ts';

declare module '../../src/plugin.ts' {
  interface Services {
    gotenberg: FormRoutes;
  }
}
