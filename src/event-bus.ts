/**
 * The events of plugins, named `noun.past`, and their payloads. Plugins add theirs by declaration merging.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by declaration merging
export interface Events {}

export type EventName = keyof Events & string;

type Listener<N extends EventName> = (payload: Events[N]) => Promise<void> | void;

/**
 * A typed event emitter whose `emit` awaits the listeners, so that their writes complete before the caller
 * gets a response.
 */
export class EventBus {
  readonly #listeners = new Map<string, Listener<never>[]>();

  /** Adds a listener. The listeners of an event run in the order in which they were added. */
  on<N extends EventName>(name: N, listener: Listener<N>): void {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
  }

  /** Calls and awaits each listener in turn. If one fails, rejects without calling the others. */
  async emit<N extends EventName>(name: N, payload: Events[N]): Promise<void> {
    for (const listener of this.#listeners.get(name) ?? []) await (listener as Listener<N>)(payload);
  }
}
