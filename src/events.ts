/** The events that plugins emit and hear, `noun.past`, and what each carries. Plugins add theirs by declaration merging. */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by declaration merging
export interface Events {}

/** The name of an event. */
export type EventName = keyof Events & string;

type Listener<N extends EventName> = (payload: Events[N]) => Promise<void> | void;

/** A typed emitter whose `emit` waits, so that what a listener stores is stored before the caller gets an answer. */
export class EventBus {
  readonly #listeners = new Map<string, Listener<never>[]>();

  /** Adds a listener; listeners of one event run in the order in which they were added. */
  on<N extends EventName>(name: N, listener: Listener<N>): void {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
  }

  /** Calls each listener and waits for it. The first that fails rejects; later ones are not called. */
  async emit<N extends EventName>(name: N, payload: Events[N]): Promise<void> {
    for (const listener of this.#listeners.get(name) ?? []) await (listener as Listener<N>)(payload);
  }
}
