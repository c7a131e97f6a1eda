import { ConfigError } from './config.ts';

/** The names that the parts of a service register, by kind, such as the prefixes of references. */
export type Names = Readonly<Record<string, readonly string[] | undefined>>;

/**
 * Remembers who registered each name, so that a second plugin with the same name stops the start instead of
 * replacing the first one unnoticed.
 */
export class Registrations {
  readonly #owners = new Map<string, string>();

  /** @param core the names of the core */
  constructor(core: Names) {
    this.#addAll('the core', core);
  }

  /**
   * Registers the names of a plugin.
   * @throws {ConfigError} for a name that the core, another plugin or the plugin itself has registered
   */
  add(plugin: string, names: Names): void {
    this.#addAll(`the plugin "${plugin}"`, names);
  }

  #addAll(owner: string, names: Names): void {
    for (const [kind, all = []] of Object.entries(names))
      for (const name of all) {
        const key = `${kind} ${name}`;
        const other = this.#owners.get(key);
        if (other !== undefined)
          throw new ConfigError(`${owner}: the ${kind} "${name}" is already registered by ${other}`);
        this.#owners.set(key, owner);
      }
  }
}
