/** What the numbered errors of React's production build mean, as far as rendering to a string can throw them; `%s` are its arguments. */
const MESSAGES: Readonly<Record<string, string>> = {
  31: 'an object cannot be rendered as a child (%s); render its fields, or an array of elements',
  60: '`children` and `dangerouslySetInnerHTML` exclude each other',
  61: '`dangerouslySetInnerHTML` must be of the form {{ __html: "..." }}',
  62: '`style` must be an object such as {{ marginRight: "1em" }}, not a string',
  65: 'invalid name of an element: %s',
  91: '`dangerouslySetInnerHTML` is not possible on <textarea>',
  92: 'a <textarea> takes `defaultValue` or children, not both',
  93: 'a <textarea> takes one child at most',
  130: 'an element has the type %s instead of a tag name or a component; a component may be misspelt, or not defined',
  257: 'portals cannot be rendered to a document',
  301: 'the component sets state at each render, without an end',
  312: 'a component called more hooks than in its render before',
  321: 'a hook was called outside of a component',
  394: 'startTransition cannot be called while rendering',
  399: '<%s> takes neither children nor `dangerouslySetInnerHTML`',
  400: '<menuitem> takes neither children nor `dangerouslySetInnerHTML`',
  426: 'a component waits for a promise (async, use() or lazy()); components return their elements at once: fetch before and send `data`',
  438: 'use() takes a promise or a context, not %s',
  440: 'an effect event cannot be called while rendering',
  479: 'an optimistic state cannot be set while rendering',
  545: '%s may be rendered only once',
};

/** Replaces the text of a numbered error, which is an address on the web, by its meaning; other messages stay as they are. */
export function explainReactError(message: string): string {
  const [, code = '', query = ''] =
    /^Minified React error #(\d+); visit [^\s?]+(\?\S*)? for /.exec(message) ?? [];
  const meaning = MESSAGES[code];
  if (!meaning) return message;
  const words = new URLSearchParams(query).getAll('args[]');
  return meaning.replaceAll('%s', () => words.shift() ?? '');
}
