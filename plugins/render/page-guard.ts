/** Characters of a console argument or an exception that leave the page. */
const MAX_CHARACTERS = 10_000;

/**
 * Runs at the start of every document and frame of an active page, before its own scripts. It shortens what they write to the console,
 * throw, or reject promises with. Chromium would send each text whole to the service, and is busy for seconds with one of 100 MB, as
 * are all other documents of the browser.
 *
 * A script that goes to some length can still send long texts. Then the pipe drops them and the account is isolated.
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
    const said = message.length > limit ? short(message) : short(error);
    report(apply(startsWith, said, ['Uncaught ']) ? apply(slice, said, [9]) : said);
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
  // Setting a document's content removes all listeners. The observer stays, and is called before the first script of the content.
  new MutationObserver(listen).observe(document, { childList: true });
})();`;
