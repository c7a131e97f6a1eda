/** Thrown for a source that does not parse. The message says where, as far as it is known. */
export class CompileError extends Error {
  override name = 'CompileError';
}

/** Thrown for a source that is not the module it should be; the message is for its author. */
export class ModuleFault extends Error {
  override name = 'ModuleFault';
}
