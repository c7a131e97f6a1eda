class Absent {
  toString(): string {
    return '';
  }
}

/**
 * Stands for a context of `null` in the blocks inside a block: Handlebars calls functions with an object there, its `nullContext`.
 * It is written as nothing.
 */
export const ABSENT: object = Object.freeze(new Absent());

/** Gives what a value means: `null` for {@link ABSENT}, any other value unchanged. */
export function meantBy(value: unknown): unknown {
  return value === ABSENT ? null : value;
}
