/**
 * The meanings of the numbered errors of React's production build that rendering to a string can throw. `%s`
 * are the arguments.
 */
const MESSAGES: Readonly<Record<string, string>> = {
  31: 'an object cannot be rendered as a child (%s); render its fields, or an array of elements',
  60: 'use either `children` or `dangerouslySetInnerHTML`, not both',
  61: '`dangerouslySetInnerHTML` must be of the form {{ __html: "..." }}',
  62: '`style` must be an object such as {{ marginRight: "1em" }}, not a string',
  65: 'invalid element name: %s',
  91: '<textarea> does not support `dangerouslySetInnerHTML`',
  92: 'a <textarea> takes `defaultValue` or children, not both',
  93: 'a <textarea> takes one child at most',
  130: 'an element has the type %s instead of a tag name or a component; a component may be misspelled or undefined',
  257: 'portals cannot be rendered to a document',
  301: 'the component sets state in every render, which never ends',
  312: 'a component called more hooks than in its previous render',
  321: 'a hook was called outside of a component',
  394: 'startTransition cannot be called while rendering',
  399: '<%s> takes neither children nor `dangerouslySetInnerHTML`',
  400: '<menuitem> takes neither children nor `dangerouslySetInnerHTML`',
  426: 'a component waits for a promise (async, use() or lazy()): components must be synchronous; fetch the data first and send it as `data`',
  438: 'use() takes a promise or a context, not %s',
  440: 'an effect event cannot be called while rendering',
  479: 'an optimistic state cannot be set while rendering',
  545: '%s may be rendered only once',
};

/**
 * Replaces the message of a numbered error, which is only a URL, with its meaning. Other messages stay as
 * they are.
 */
export function explainReactError(message: string): string {
  const [, code = '', query = ''] =
    /^Minified React error #(\d+); visit [^\s?]+(\?\S*)? for /.exec(message) ?? [];
  const meaning = MESSAGES[code];
  if (!meaning) return message;
  const args = new URLSearchParams(query).getAll('args[]');
  return meaning.replaceAll('%s', () => args.shift() ?? '');
}
