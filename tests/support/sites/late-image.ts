import { Receiver } from './receiver.ts';

/** Starts a server for an image, and returns a document that loads until the image arrives. */
export function startImage() {
  const gate = Promise.withResolvers<void>();
  const receiver = new Receiver(async () => {
    await gate.promise;
    return new Response(null, { status: 404 });
  });
  return {
    host: receiver.host,
    html: `<script></script><img src="${receiver.url('/image')}">`,
    isRequested: () => receiver.received.length > 0,
    arrive: () => gate.resolve(),
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}
