import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { requireInertAttribute } from './attributes.ts';
import { Blocks, type TagPlace } from './blocks.ts';
import { FRAME, HEAD_ELEMENTS, HTML_ELEMENTS, SVG_ELEMENTS } from './elements.ts';
import { DocumentFault, quote, type FaultKind } from './fault.ts';
import { hasMarker, Outline, splitMarkers } from './outline.ts';
import { requireInertStyles } from './styles.ts';

/** What of HTML's parse errors changes nothing for what follows; any other is refused. */
const HARMLESS = new Set([
  'missing-whitespace-between-attributes',
  'unknown-named-character-reference',
  'missing-semicolon-after-character-reference',
  'noncharacter-in-input-stream',
  'non-void-html-element-start-tag-with-trailing-solidus',
]);

const NOT_ALLOWED = 'an element or attribute that is not allowed';
const KINDS: Readonly<Record<string, FaultKind>> = {
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

/** An element whose end must lie in the same branch of the same blocks as its beginning. */
interface OpenElement {
  name: string;
  path: string;
}

/**
 * Checks that HTML is one whole document without anything that runs, loads or sends, by an allow-list of elements and attributes.
 *
 * The tokenizer is that of the HTML standard (WHATWG HTML 13.2.5), and nothing depends on the tree: only elements are let in after which it
 * reads on in the same way wherever they stand, and `<svg>`, `<style>` and `<title>`, which are followed here. For a template the same
 * holds for each rendering, see {@link Blocks}.
 */
export class DocumentCheck {
  readonly #outline: Outline;
  /** Given for a template only: of what is rendered nothing is left to be written. */
  readonly #template: Outline | undefined;
  readonly #blocks: Blocks;
  readonly #tokenizer: Tokenizer;
  readonly #frame: string[] = [];
  #hasDoctype = false;
  #attributes = 0;
  #elements = 0;
  #raw: (OpenElement & { text: string }) | undefined;
  readonly #drawings: OpenElement[] = [];

  constructor(outline: Outline, kind: 'template' | 'rendered') {
    this.#outline = outline;
    this.#template = kind === 'template' ? outline : undefined;
    this.#blocks = new Blocks(outline);
    const onText = (token: Token.CharacterToken) => this.#text(token.chars);
    this.#tokenizer = new Tokenizer(
      { sourceCodeLocationInfo: true },
      {
        onDoctype: (token) => this.#doctype(token),
        onStartTag: (token) => this.#startTag(token),
        onEndTag: (token) => this.#endTag(token),
        onCharacter: onText,
        onWhitespaceCharacter: onText,
        onNullCharacter: () => this.#refuse('broken HTML', 'there is a null character in it'),
        onComment: ({ data }) => this.#comment(data),
        onEof: () => this.#end(),
        onParseError: ({ code }) => {
          if (!HARMLESS.has(code)) this.#refuse('broken HTML', `the HTML has a fault: ${code}`);
        },
      },
    );
  }

  /** @throws {DocumentFault} for the first thing that is wrong. */
  run(): void {
    this.#tokenizer.write(this.#outline.text, true);
  }

  #refuse(kind: FaultKind, message: string): never {
    throw new DocumentFault(kind, message);
  }

  #visit(text: string, place: TagPlace): void {
    for (const tag of this.#outline.tagsIn(text)) this.#blocks.visit(tag, place);
  }

  #doctype({ name, publicId, systemId, forceQuirks }: Token.DoctypeToken): void {
    if (this.#hasDoctype || this.#frame.length > 0 || forceQuirks || name !== 'html' || publicId || systemId)
      this.#refuse('incomplete document', 'the document must begin with <!DOCTYPE html>');
    this.#hasDoctype = true;
  }

  #startTag(token: Token.TagToken): void {
    const { tagName: name } = token;
    this.#elements += 1;
    if (hasMarker(name))
      this.#refuse(
        'Handlebars in a place where it is not allowed',
        `a Handlebars tag touches the element name ${quote(name)}`,
      );
    const isSvg = this.#drawings.length > 0 || name === 'svg';
    if (FRAME.has(name)) this.#enter(name);
    else this.#requireElement(name, isSvg);
    this.#readAttributes(token, isSvg);
    if (isSvg) {
      if (name === 'svg' && !token.selfClosing) this.#drawings.push({ name, path: this.#blocks.path });
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
      this.#drawings.length > 0
    )
      this.#refuse(
        'incomplete document',
        `<${name}> stands in the wrong place: there must be one <html>, in it one <head>, then one <body>, all outside of blocks`,
      );
    this.#frame.push(name);
  }

  #requireElement(name: string, isSvg: boolean): void {
    const place = this.#frame.at(-1);
    const known = isSvg ? SVG_ELEMENTS : place === 'head' ? HEAD_ELEMENTS : HTML_ELEMENTS;
    const isPlaced = place === 'head' || place === 'body';
    if (known.has(name) && isPlaced && (name !== 'svg' || place === 'body')) return;
    if (!isPlaced && HTML_ELEMENTS.has(name))
      this.#refuse('incomplete document', `<${name}> must stand inside of <body>`);
    const where = isSvg ? ' in a drawing' : place === 'head' ? ' in <head>' : '';
    this.#refuse(KINDS[name] ?? NOT_ALLOWED, `the element <${name.slice(0, 40)}> is not allowed${where}`);
  }

  #readAttributes({ tagName: element, attrs, location }: Token.TagToken, isSvg: boolean): void {
    const owner = this.#elements;
    for (const { name: written, value } of attrs) {
      this.#attributes += 1;
      const { markers, rest: name } = splitMarkers(written);
      this.#visit(markers, { kind: 'attributes', id: owner });
      if (hasMarker(name))
        this.#refuse(
          'Handlebars in a place where it is not allowed',
          `a Handlebars tag touches the attribute name ${quote(name)}; put it inside the quotes of the value`,
        );
      const end = location?.attrs?.[written]?.endOffset ?? 0;
      if (hasMarker(value) && !/["']/.test(this.#outline.text.charAt(end - 1)))
        this.#refuse(
          'Handlebars in a place where it is not allowed',
          `the value of ${quote(name)} must stand in quotes`,
        );
      this.#visit(value, { kind: name === 'style' || isSvg ? 'styleValue' : 'value', id: this.#attributes });
      if (name === '' && value === '') continue;
      requireInertAttribute({ element, name, value, isSvg }, this.#template);
    }
  }

  #endTag({ tagName: name, attrs }: Token.TagToken): void {
    if (attrs.length > 0 || hasMarker(name))
      this.#refuse('broken HTML', `the end tag </${quote(name).slice(1, -1)}> has something in it`);
    if (this.#raw) return this.#endRaw(this.#raw);
    if (this.#drawings.length > 0) {
      if (!SVG_ELEMENTS.has(name))
        this.#refuse('broken HTML', `</${name}> stands in a drawing that is not closed`);
      if (name === 'svg') this.#requireSameBranch(this.#drawings.pop());
      return undefined;
    }
    if (FRAME.has(name)) return this.#leave(name);
    if (!HTML_ELEMENTS.has(name) || this.#frame.at(-1) !== 'body')
      this.#refuse('broken HTML', `</${name.slice(0, 40)}> closes nothing`);
    return undefined;
  }

  #leave(name: string): void {
    const expected = {
      head: 'html head',
      body: 'html head /head body',
      html: 'html head /head body /body',
    }[name];
    if (this.#frame.join(' ') !== expected || this.#blocks.path !== '')
      this.#refuse('incomplete document', `</${name}> stands in the wrong place`);
    this.#frame.push(`/${name}`);
  }

  #endRaw(raw: OpenElement & { text: string }): void {
    this.#raw = undefined;
    this.#requireSameBranch(raw);
    // What is cut off at a tag's edge might end the element in some rendering.
    if (raw.text.includes('<'))
      this.#refuse('broken HTML', `there is a "<" in <${raw.name}>; it is not needed there`);
    if (raw.name === 'style') requireInertStyles(raw.text);
  }

  #requireSameBranch(element: OpenElement | undefined): void {
    if (element?.path !== this.#blocks.path)
      this.#refuse(
        'Handlebars in a place where it is not allowed',
        `<${element?.name}> begins and ends in different blocks`,
      );
  }

  #text(chars: string): void {
    if (this.#raw) {
      this.#raw.text += chars;
      return this.#visit(chars, { kind: this.#raw.name === 'style' ? 'style' : 'title', id: this.#elements });
    }
    const place = this.#frame.at(-1);
    if (place !== 'body') {
      const rest = chars.trim();
      const tags = this.#outline.tagsIn(rest);
      const isEdges =
        place === 'head' &&
        tags.every(({ kind }) => kind === 'edge') &&
        splitMarkers(rest.replaceAll(/\s/g, '')).rest === '';
      if (rest !== '' && !isEdges) this.#refuse('incomplete document', 'there is text outside of <body>');
    }
    return this.#visit(chars, { kind: 'text', id: 0 });
  }

  #comment(data: string): void {
    if (hasMarker(data))
      this.#refuse(
        'Handlebars in a place where it is not allowed',
        'a comment of HTML has Handlebars in it; use {{!-- --}} instead',
      );
  }

  #end(): void {
    if (this.#raw || this.#drawings.length > 0)
      this.#refuse('incomplete document', `<${this.#raw?.name ?? 'svg'}> is not closed`);
    if (!this.#hasDoctype)
      this.#refuse('incomplete document', 'the document must begin with <!DOCTYPE html>');
    if (this.#frame.join(' ') !== 'html head /head body /body /html')
      this.#refuse(
        'incomplete document',
        'the document must have <html>, <head>…</head>, <body>…</body> and end with </html>',
      );
    if (this.#blocks.seen !== this.#outline.tags.length)
      this.#refuse(
        'Handlebars in a place where it is not allowed',
        'a Handlebars tag stands inside a tag of HTML',
      );
  }
}
