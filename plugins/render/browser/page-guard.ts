/** The maximum number of characters of a console argument or an exception that the browser page sends. */
const MAX_CHARACTERS = 10_000;

/**
 * Runs at the start of every document and frame of an active page, before the document's scripts. It
 * truncates console arguments, exceptions and rejection reasons. Chromium would send each text in full to the
 * service; a text of 100 MB blocks it, and all other documents of the browser, for seconds.
 *
 * A script can circumvent the guard. The browser's pipe then drops the long messages, and the account is
 * isolated.
 */
export const PAGE_GUARD = `(() => {
  const limit = ${MAX_CHARACTERS};
  const { apply } = Reflect;
  const { slice, startsWith } = String.prototype;
  const { preventDefault } = Event.prototype;
  const readMessage = Object.getOwnPropertyDescriptor(ErrorEvent.prototype, 'message').get;
  const readError = Object.getOwnPropertyDescriptor(ErrorEvent.prototype, 'error').get;
  const readReason = Object.getOwnPropertyDescriptor(PromiseRejectionEvent.prototype, 'reason').get;
  const NativeError = Error;
  const report = reportError;
  const text = (value) => {
    try {
      if (typeof value === 'string' || typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function') return String(value);
      if (value instanceof NativeError) {
        const message = String(value.message);
        const stack = String(value.stack);
        return message.length > stack.length ? message : stack;
      }
    } catch {}
    return '';
  };
  const isLong = (value) => text(value).length > limit;
  const short = (value) => apply(slice, text(value), [0, limit]) + '\\u2026';
  for (const name of ['log', 'debug', 'info', 'warn', 'error', 'dir', 'dirxml', 'table', 'trace', 'assert', 'group', 'groupCollapsed', 'count', 'countReset', 'time', 'timeEnd', 'timeLog']) {
    const write = console[name];
    console[name] = { [name](...values) {
      for (let index = 0; index < values.length; index += 1) if (isLong(values[index])) values[index] = short(values[index]);
      return apply(write, console, values.length > 100 ? values.slice(0, 100) : values);
    } }[name];
  }
  const onError = (event) => {
    if (!(event instanceof ErrorEvent)) return;
    const message = apply(readMessage, event, []);
    const error = apply(readError, event, []);
    if (message.length <= limit && !isLong(error)) return;
    apply(preventDefault, event, []);
    const shortened = message.length > limit ? short(message) : short(error);
    report(apply(startsWith, shortened, ['Uncaught ']) ? apply(slice, shortened, [9]) : shortened);
  };
  const onRejection = (event) => {
    const reason = apply(readReason, event, []);
    if (!isLong(reason)) return;
    apply(preventDefault, event, []);
    report('(in promise) ' + short(reason));
  };
  const listen = () => {
    addEventListener('error', onError, true);
    addEventListener('unhandledrejection', onRejection, true);
  };
  listen();
  // Setting a document's content removes all listeners. The observer remains, and is called before the first
  // script of the content.
  new MutationObserver(listen).observe(document, { childList: true });
})();`;
