// Replaces `@codemirror/lang-javascript` in the bundle (scripts/build-studio.ts), because the parser of that
// package would be a fifth of the editor's size and templates contain few scripts. Highlights keywords,
// names, strings, numbers and comments.
import { LanguageSupport, StreamLanguage } from '@codemirror/language';

const KEYWORDS = new Set(
  'async await break case catch class const continue default delete do else export extends false finally for from function if import in instanceof let new null of return static super switch this throw true try typeof undefined var void while yield'.split(
    ' ',
  ),
);

/** The language of scripts in templates. */
export const javascriptLanguage = StreamLanguage.define<{ closing: string }>({
  startState: () => ({ closing: '' }),
  token(stream, state) {
    if (state.closing) {
      const isComment = state.closing === '*/';
      if (stream.skipTo(state.closing)) {
        stream.match(state.closing);
        state.closing = '';
      } else stream.skipToEnd();
      return isComment ? 'comment' : 'string';
    }
    if (stream.eatSpace()) return null;
    if (stream.match('//')) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match('/*')) {
      state.closing = '*/';
      return 'comment';
    }
    const quote = stream.eat(/["'`]/);
    if (quote) {
      if (quote === '`') state.closing = quote;
      else if (stream.skipTo(quote)) stream.next();
      else stream.skipToEnd();
      return 'string';
    }
    if (stream.eatWhile(/\d/)) return 'number';
    if (stream.eatWhile(/[\w$]/)) return KEYWORDS.has(stream.current()) ? 'keyword' : 'variableName';
    stream.next();
    return null;
  },
});

// `@codemirror/lang-html` derives a parser of JSON from this one.
Object.assign(javascriptLanguage.parser, { configure: () => javascriptLanguage.parser });

export {
  javascriptLanguage as jsxLanguage,
  javascriptLanguage as tsxLanguage,
  javascriptLanguage as typescriptLanguage,
};

/** Returns the language with its support, as `@codemirror/lang-html` expects it. */
export function javascript(): LanguageSupport {
  return new LanguageSupport(javascriptLanguage);
}
