import type { FileStore, Routes, Sandbox } from '../../src/plugin.ts';
import type { RenderService } from '../render/contract.ts';

/** What an operation works with. */
export interface OperationContext {
  routes: Routes;
  sandbox: Sandbox;
  files: FileStore;
  /** `undefined` when the plugin is off. */
  render: RenderService | undefined;
}

/** Adds the route of one operation. */
export type Operation = (context: OperationContext) => void;
