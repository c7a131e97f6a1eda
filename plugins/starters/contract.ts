import type { GenerateOptions } from '../render/contract.ts';
import type { Category, VariableSchema } from '../templates/contract.ts';

/** A template to start from. */
export interface Starter {
  slug: string;
  name: string;
  description: string;
  category: Category;
  html: string;
  sampleData: Readonly<Record<string, unknown>>;
  schema: VariableSchema;
  /** The options of `POST /v1/generate` that it is made for, or `null`. */
  options: GenerateOptions | null;
}

/** What the starters plugin does for others. */
export interface StartersService {
  /** Lists all, by slug. */
  list(): readonly Starter[];
  /** Finds one, or `null`. */
  find(slug: string): Starter | null;
}

declare module '../../src/plugin.ts' {
  interface Services {
    starters: StartersService;
  }
}
