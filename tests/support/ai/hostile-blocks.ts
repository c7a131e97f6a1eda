import { page } from './provider.ts';

const EVIL = 'http://evil.example/x';
const SCRIPT = '<script>alert(1)</script>';

/**
 * Hides a template in a branch that placeholder data never take, so that only reading the template can find
 * it.
 */
const unseen = (template: string) => page(`{{#unless a}}${template}{{/unless}}`);

/** Writes a character that bypasses the escaping of `{{…}}` and a check that reads the template as text. */
const character = (one: string) => `{{#lookup '${one}' 0}}{{/lookup}}`;

/**
 * Responses of a model that must not reach a caller, because of a surrounding block or of a tag in the middle
 * of an escape sequence.
 */
export const hostileBlocks: Readonly<Record<string, string>> = {
  'a script written by lookup as a block': unseen(
    `${character('<')}script${character('>')}alert(1)${character('<')}/script${character('>')}`,
  ),
  'a field written by lookup as a block': page('{{#lookup a "b"}}{{/lookup}}'),
  'a field written by lookup behind else': page('{{#if a}}x{{else lookup a "b"}}{{/if}}'),
  'a script behind a code that a block brings into an attribute': unseen(
    `{{#with (qrcode t)}}<p title="{{this}}${SCRIPT}">x</p>{{/with}}`,
  ),
  'a script behind a code that has a name': unseen(
    `{{#with (barcode t) as |code|}}<p title="{{code}}${SCRIPT}">x</p>{{/with}}`,
  ),
  'a script behind a code that a block and a helper bring': unseen(
    `{{#with (qrcode t)}}<p title="{{default this 1}}${SCRIPT}">x</p>{{/with}}`,
  ),
  'a handler behind a CSS string that a block brings': unseen(
    '{{#with (cssString "x")}}<p title="{{this}} onclick=alert(1) y=">x</p>{{/with}}',
  ),
  'a javascript: link that a block brings': unseen(
    '{{#with "javascript:alert(1)"}}<a href="{{this}}">x</a>{{/with}}',
  ),
  'a javascript: link as the default of an absent value': unseen(
    '{{#with (default b "javascript:alert(1)")}}<a href="{{this}}">x</a>{{/with}}',
  ),
  'a javascript: link from a block within a block': unseen(
    '{{#with "javascript:alert(1)"}}{{#with this}}<a href="{{.}}">x</a>{{/with}}{{/with}}',
  ),
  'a javascript: link from two blocks up': unseen(
    '{{#with "javascript:alert(1)"}}{{#with @root}}<a href="{{..}}">x</a>{{/with}}{{/with}}',
  ),
  'a javascript: link from a higher level than it seems': unseen(
    '{{#with "javascript:alert(1)"}}{{#with @root.d}}{{#with this}}<a href="{{..}}">x</a>{{/with}}{{/with}}{{/with}}',
  ),
  'a javascript: link by a name that a block gave': unseen(
    '{{#with "javascript:alert(1)" as |u|}}{{#with @root}}<a href="{{u}}">x</a>{{/with}}{{/with}}',
  ),
  'a javascript: link in a block that leaves it as it is': unseen(
    '{{#with "javascript:alert(1)"}}{{#@root.flag}}<a href="{{this}}">x</a>{{/@root.flag}}{{/with}}',
  ),
  'a remote image that a block brings': unseen(`{{#with "${EVIL}.png"}}<img src="{{this}}" alt="">{{/with}}`),
  'a remote background that a block brings': unseen(
    `<p style="background:{{#with "url(${EVIL})"}}{{this}}{{/with}}">x</p>`,
  ),
  'an import whose escape a block splits': page(
    '',
    `<style>@\\6{{#if a}}x{{/if}}9mport "${EVIL}.css";</style>`,
  ),
  'an import whose escape a value splits': page('', `<style>@\\6{{a}}9mport "${EVIL}.css";</style>`),
  'a remote background whose escape a block ends': page(
    '',
    `<style>body{background:\\75{{#if a}} x{{/if}} rl(${EVIL})}</style>`,
  ),
  'a remote background in an attribute whose escape a block ends': page(
    `<p style="background:\\75{{#if a}} x{{/if}} rl(${EVIL})">x</p>`,
  ),
  'a remote fill whose escape a block ends': page(
    `<svg><rect fill="\\75{{#if a}} x{{/if}} rl(${EVIL}#a)"/></svg>`,
  ),
  'a fence of 300,000 characters': '`'.repeat(300_000) + page(SCRIPT),
};
