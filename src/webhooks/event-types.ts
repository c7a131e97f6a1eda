import { invalid } from '../errors.ts';
import type { JsonValue } from '../store/store.ts';
import type { WebhookType } from './delivery.ts';
import { DISABLED, matchesType } from './endpoint.ts';

/** A type of messages with an example of their data. */
export interface DeclaredType {
  type: WebhookType;
  example: unknown;
}

/** The types of events and messages of a service: those of its plugins, and {@link DISABLED}. */
export class EventTypes {
  readonly #examples = new Map<WebhookType, unknown>([[DISABLED, {}]]);

  declare(types: Iterable<DeclaredType>): void {
    for (const { type, example } of types) this.#examples.set(type, example);
  }

  /** @throws {Error} for a type that no plugin declares */
  check({ type }: { type: WebhookType }): void {
    if (!this.#examples.has(type))
      throw new Error(`no plugin declares webhook messages of the type "${type}"`);
  }

  /**
   * Returns the declared types that a pattern selects: a type, or all types of a noun, such as
   * `generation.*`.
   * @throws {AppError} VALIDATION_ERROR that names `path`
   */
  select(path: string, pattern: string): WebhookType[] {
    const types = this.matching(pattern);
    if (types.length > 0) return types;
    const names = [...this.#examples.keys()].join(', ');
    throw invalid(path, `must be a type of events, or a noun with \`.*\`: ${names}`);
  }

  /** Returns the declared types that a pattern selects; none for a type whose plugin is off. */
  matching(pattern: string): WebhookType[] {
    return [...this.#examples.keys()].filter((type) => matchesType(pattern, type));
  }

  /** Returns the example of the data of a type. */
  exampleOf(type: WebhookType): JsonValue {
    return this.#examples.get(type) as JsonValue;
  }
}
