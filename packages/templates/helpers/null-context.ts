class NullContext {
  toString(): string {
    return '';
  }
}

/**
 * Represents a `null` context in nested blocks. Handlebars calls block functions with its `nullContext`
 * object instead of `null`. Renders as empty text.
 */
export const NULL_CONTEXT: object = Object.freeze(new NullContext());

/** Returns `null` for {@link NULL_CONTEXT}, and any other value unchanged. */
export function fromContext(value: unknown): unknown {
  return value === NULL_CONTEXT ? null : value;
}
