import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { requireInertAttribute } from './attributes.ts';
import { Blocks, type TagPlace } from './blocks.ts';
import { FRAME, HEAD_ELEMENTS, HTML_ELEMENTS, SVG_ELEMENTS } from './elements.ts';
import { DocumentFault, quote, type FaultKind } from './fault.ts';
import { hasMarker, MarkedText, splitMarkers } from './marked-text.ts';
import { requireInertStyles } from './styles.ts';

/** HTML parse errors that do not affect how the rest is parsed; all others are rejected. */
const HARMLESS_PARSE_ERRORS = new Set([
  'missing-whitespace-between-attributes',
  'unknown-named-character-reference',
  'missing-semicolon-after-character-reference',
  'noncharacter-in-input-stream',
  'non-void-html-element-start-tag-with-trailing-solidus',
]);

const NOT_ALLOWED = 'an element or attribute that is not allowed';
const KIND_BY_ELEMENT: Readonly<Record<string, FaultKind>> = {
  script: 'a script',
  noscript: 'a script',
  link: 'a remote asset',
  base: 'a remote asset',
  iframe: 'a remote asset',
  frame: 'a remote asset',
  object: 'a remote asset',
  embed: 'a remote asset',
  use: 'a remote asset',
  image: 'a remote asset',
  feimage: 'a remote asset',
  picture: 'a remote asset',
  source: 'a remote asset',
  video: 'a remote asset',
  audio: 'a remote asset',
  form: 'a form',
  input: 'a form',
  button: 'a form',
  textarea: 'a form',
  select: 'a form',
};

/** An element whose end tag must be in the same branch of the same blocks as its start tag. */
interface OpenElement {
  name: string;
  path: string;
}

/**
 * Checks that HTML is one complete document in which nothing runs, loads or sends anything, with an
 * allow-list of elements and attributes.
 *
 * The check uses the tokenizer of the HTML standard (WHATWG HTML 13.2.5) and does not depend on the tree:
 * every allowed element leaves the tokenizer in the same state wherever it occurs, except `<svg>`, `<style>`
 * and `<title>`, which this class tracks. For a template, the result holds for every rendering; see
 * {@link Blocks}.
 */
export class DocumentCheck {
  readonly #source: MarkedText;
  /** Set for a template only: a rendered document has no tags left. */
  readonly #template: MarkedText | undefined;
  readonly #blocks: Blocks;
  readonly #tokenizer: Tokenizer;
  readonly #frame: string[] = [];
  #hasDoctype = false;
  #attributes = 0;
  #elements = 0;
  #raw: (OpenElement & { text: string }) | undefined;
  readonly #openSvgs: OpenElement[] = [];

  constructor(document: MarkedText, kind: 'template' | 'rendered') {
    this.#source = document;
    this.#template = kind === 'template' ? document : undefined;
    this.#blocks = new Blocks(document);
    const onText = (token: Token.CharacterToken) => this.#text(token.chars);
    this.#tokenizer = new Tokenizer(
      { sourceCodeLocationInfo: true },
      {
        onDoctype: (token) => this.#doctype(token),
        onStartTag: (token) => this.#startTag(token),
        onEndTag: (token) => this.#endTag(token),
        onCharacter: onText,
        onWhitespaceCharacter: onText,
        onNullCharacter: () => this.#reject('broken HTML', 'the document contains a null character'),
        onComment: ({ data }) => this.#comment(data),
        onEof: () => this.#end(),
        onParseError: ({ code }) => {
          if (!HARMLESS_PARSE_ERRORS.has(code))
            this.#reject('broken HTML', `the HTML has the parse error ${code}`);
        },
      },
    );
  }

  /** @throws {DocumentFault} for the first fault. */
  run(): void {
    this.#tokenizer.write(this.#source.text, true);
  }

  #reject(kind: FaultKind, message: string): never {
    throw new DocumentFault(kind, message);
  }

  #visit(text: string, place: TagPlace): void {
    for (const tag of this.#source.tagsIn(text)) this.#blocks.visit(tag, place);
  }

  #doctype({ name, publicId, systemId, forceQuirks }: Token.DoctypeToken): void {
    if (this.#hasDoctype || this.#frame.length > 0 || forceQuirks || name !== 'html' || publicId || systemId)
      this.#reject('incomplete document', 'the document must begin with <!DOCTYPE html>');
    this.#hasDoctype = true;
  }

  #startTag(token: Token.TagToken): void {
    const { tagName: name } = token;
    this.#elements += 1;
    if (hasMarker(name))
      this.#reject('a misplaced Handlebars tag', `a Handlebars tag touches the element name ${quote(name)}`);
    const isSvg = this.#openSvgs.length > 0 || name === 'svg';
    if (FRAME.has(name)) this.#enter(name);
    else this.#requireElement(name, isSvg);
    this.#readAttributes(token, isSvg);
    if (isSvg) {
      if (name === 'svg' && !token.selfClosing) this.#openSvgs.push({ name, path: this.#blocks.path });
    } else if (name === 'style' || name === 'title') {
      this.#raw = { name, path: this.#blocks.path, text: '' };
      this.#tokenizer.state = name === 'style' ? TokenizerMode.RAWTEXT : TokenizerMode.RCDATA;
    }
  }

  #enter(name: string): void {
    const expected = { html: '', head: 'html', body: 'html head /head' }[name];
    if (
      !this.#hasDoctype ||
      this.#frame.join(' ') !== expected ||
      this.#blocks.path !== '' ||
      this.#openSvgs.length > 0
    )
      this.#reject(
        'incomplete document',
        `<${name}> is in the wrong place: the document must have one <html> with one <head> and then one <body>, all outside blocks`,
      );
    this.#frame.push(name);
  }

  #requireElement(name: string, isSvg: boolean): void {
    const place = this.#frame.at(-1);
    const known = isSvg ? SVG_ELEMENTS : place === 'head' ? HEAD_ELEMENTS : HTML_ELEMENTS;
    const isPlaced = place === 'head' || place === 'body';
    if (known.has(name) && isPlaced && (name !== 'svg' || place === 'body')) return;
    if (!isPlaced && HTML_ELEMENTS.has(name))
      this.#reject('incomplete document', `<${name}> must be inside <body>`);
    const where = isSvg ? ' in <svg>' : place === 'head' ? ' in <head>' : '';
    this.#reject(
      KIND_BY_ELEMENT[name] ?? NOT_ALLOWED,
      `the element <${name.slice(0, 40)}> is not allowed${where}`,
    );
  }

  #readAttributes({ tagName: element, attrs, location }: Token.TagToken, isSvg: boolean): void {
    const owner = this.#elements;
    for (const { name: written, value } of attrs) {
      this.#attributes += 1;
      const { markers, rest: name } = splitMarkers(written);
      this.#visit(markers, { kind: 'attributes', id: owner });
      if (hasMarker(name))
        this.#reject(
          'a misplaced Handlebars tag',
          `a Handlebars tag touches the attribute name ${quote(name)}; put it inside the quotes of the value`,
        );
      const end = location?.attrs?.[written]?.endOffset ?? 0;
      if (hasMarker(value) && !/["']/.test(this.#source.text.charAt(end - 1)))
        this.#reject('a misplaced Handlebars tag', `the value of ${quote(name)} must be quoted`);
      this.#visit(value, { kind: name === 'style' || isSvg ? 'styleValue' : 'value', id: this.#attributes });
      if (name === '' && value === '') continue;
      requireInertAttribute({ element, name, value, isSvg }, this.#template);
    }
  }

  #endTag({ tagName: name, attrs }: Token.TagToken): void {
    if (attrs.length > 0 || hasMarker(name))
      this.#reject(
        'broken HTML',
        `the end tag </${quote(name).slice(1, -1)}> must not contain attributes or Handlebars`,
      );
    if (this.#raw) return this.#endRaw(this.#raw);
    if (this.#openSvgs.length > 0) {
      if (!SVG_ELEMENTS.has(name)) this.#reject('broken HTML', `</${name}> is inside an unclosed <svg>`);
      if (name === 'svg') this.#requireSameBranch(this.#openSvgs.pop());
      return undefined;
    }
    if (FRAME.has(name)) return this.#leave(name);
    if (!HTML_ELEMENTS.has(name) || this.#frame.at(-1) !== 'body')
      this.#reject('broken HTML', `</${name.slice(0, 40)}> has no matching start tag`);
    return undefined;
  }

  #leave(name: string): void {
    const expected = {
      head: 'html head',
      body: 'html head /head body',
      html: 'html head /head body /body',
    }[name];
    if (this.#frame.join(' ') !== expected || this.#blocks.path !== '')
      this.#reject('incomplete document', `</${name}> is in the wrong place`);
    this.#frame.push(`/${name}`);
  }

  #endRaw(raw: OpenElement & { text: string }): void {
    this.#raw = undefined;
    this.#requireSameBranch(raw);
    // In some rendering, text before a tag could combine with text after it into an end tag.
    if (raw.text.includes('<')) this.#reject('broken HTML', `<${raw.name}> must not contain "<"`);
    if (raw.name === 'style') requireInertStyles(raw.text);
  }

  #requireSameBranch(element: OpenElement | undefined): void {
    if (element?.path !== this.#blocks.path)
      this.#reject('a misplaced Handlebars tag', `<${element?.name}> begins and ends in different blocks`);
  }

  #text(chars: string): void {
    if (this.#raw) {
      this.#raw.text += chars;
      return this.#visit(chars, { kind: this.#raw.name === 'style' ? 'style' : 'title', id: this.#elements });
    }
    const place = this.#frame.at(-1);
    if (place !== 'body') {
      const rest = chars.trim();
      const tags = this.#source.tagsIn(rest);
      const isEdges =
        place === 'head' &&
        tags.every(({ kind }) => kind === 'edge') &&
        splitMarkers(rest.replaceAll(/\s/g, '')).rest === '';
      if (rest !== '' && !isEdges) this.#reject('incomplete document', 'there is text outside <body>');
    }
    return this.#visit(chars, { kind: 'text', id: 0 });
  }

  #comment(data: string): void {
    if (hasMarker(data))
      this.#reject(
        'a misplaced Handlebars tag',
        'an HTML comment contains Handlebars; use {{!-- --}} instead',
      );
  }

  #end(): void {
    if (this.#raw || this.#openSvgs.length > 0)
      this.#reject('incomplete document', `<${this.#raw?.name ?? 'svg'}> is not closed`);
    if (!this.#hasDoctype)
      this.#reject('incomplete document', 'the document must begin with <!DOCTYPE html>');
    if (this.#frame.join(' ') !== 'html head /head body /body /html')
      this.#reject(
        'incomplete document',
        'the document must have <html>, <head>…</head>, <body>…</body> and end with </html>',
      );
    if (this.#blocks.seen !== this.#source.tags.length)
      this.#reject(
        'a misplaced Handlebars tag',
        'a Handlebars tag is inside an HTML tag, outside the attribute values',
      );
  }
}
