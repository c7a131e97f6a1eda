/**
 * Compiles a pattern of the operator. It may take exponential time, so that text of callers is matched only
 * in the sandbox.
 * @throws {SyntaxError}
 */
export function toPattern(pattern: string): RegExp {
  return new RegExp(pattern);
}
