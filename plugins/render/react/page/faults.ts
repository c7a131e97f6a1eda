/** Thrown for a source that does not parse. The message contains the position if it is known. */
export class CompileError extends Error {
  override name = 'CompileError';
}

/**
 * Thrown for a source that is not a valid module, such as one without a default export. The message is for
 * its author.
 */
export class ModuleFault extends Error {
  override name = 'ModuleFault';
}
