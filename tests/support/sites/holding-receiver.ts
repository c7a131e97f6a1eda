import { Receiver, type Respond } from './receiver.ts';

/** A receiver that can delay documents: their images arrive only after `release()`. */
export class HoldingReceiver extends Receiver {
  readonly #gates: Map<string, Promise<void>>;

  constructor(respond: Respond = () => new Response(null, { status: 204 })) {
    const gates = new Map<string, Promise<void>>();
    super(async (request, count) => {
      await gates.get(request.path);
      return respond(request, count);
    });
    this.#gates = gates;
  }

  /** Returns a document that is printed only after `release()`. */
  hold(): { held: { html: string }; release: () => void } {
    const gate = Promise.withResolvers<void>();
    const path = `/held-${this.#gates.size}`;
    this.#gates.set(path, gate.promise);
    return { held: { html: `<img src="${this.url(path)}">` }, release: () => gate.resolve() };
  }
}
