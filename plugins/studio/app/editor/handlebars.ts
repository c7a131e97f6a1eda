import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { cssCompletionSource } from '@codemirror/lang-css';
import { html, htmlCompletionSource } from '@codemirror/lang-html';
import type { Extension } from '@codemirror/state';
import {
  Decoration,
  MatchDecorator,
  ViewPlugin,
  type DecorationSet,
  type EditorView,
} from '@codemirror/view';
import { pathsAt } from './template-context.ts';

/** A template helper, which the build copies from `@platen/templates`. */
interface HelperInfo {
  name: string;
  signature: string;
  description: string;
  block: boolean;
}

declare const TEMPLATE_HELPERS: HelperInfo[];

const BLOCKS = [
  { name: 'each', detail: 'list', info: 'Repeats its content for each element of a list.' },
  {
    name: 'if',
    detail: 'value',
    info: 'Includes its content if the value is neither empty nor 0 nor false.',
  },
  { name: 'unless', detail: 'value', info: 'Includes its content if the value is empty, 0 or false.' },
  { name: 'with', detail: 'object', info: 'Reads the names in its content from an object.' },
];

/** The names of all helpers, including those of Handlebars. */
export const HELPER_NAMES: ReadonlySet<string> = new Set([
  ...TEMPLATE_HELPERS.map(({ name }) => name),
  ...BLOCKS.map(({ name }) => name),
  'lookup',
]);

const decorator = new MatchDecorator({
  regexp: /\{\{[^{}]{0,400}\}\}\}?/g,
  decoration: Decoration.mark({ class: 'cm-mustache' }),
});

const mustaches = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = decorator.createDeco(view);
    }
    update(update: Parameters<typeof decorator.updateDeco>[0]) {
      this.decorations = decorator.updateDeco(update, this.decorations);
    }
  },
  { decorations: (value) => value.decorations },
);

/** The names that completion offers. They are read when completion starts. */
export interface TemplateNames {
  data: () => unknown;
  partials: () => string[];
  assets: () => string[];
}

/** Returns the language of templates: HTML with highlighted Handlebars, and completion inside `{{…}}`. */
export function templateLanguage(names: TemplateNames): Extension {
  const inTag = (context: CompletionContext) => {
    const before = context.state.sliceDoc(Math.max(0, context.pos - MAX_TAG_CHARACTERS), context.pos);
    return before.lastIndexOf('{{') > before.lastIndexOf('}}') || /asset:[\w.-]*$/.test(before);
  };
  return [
    html(),
    mustaches,
    autocompletion({
      icons: false,
      override: [
        (context) => (inTag(context) ? complete(context, names) : null),
        (context) => (inTag(context) ? null : htmlCompletionSource(context)),
        (context) => (inTag(context) ? null : cssCompletionSource(context)),
      ],
    }),
  ];
}

/** The longest tag in which names are completed, in characters. */
const MAX_TAG_CHARACTERS = 2000;

function complete(context: CompletionContext, names: TemplateNames): CompletionResult | null {
  const { state, pos } = context;
  const before = state.sliceDoc(0, pos);
  const asset = /asset:([\w.-]*)$/.exec(before.slice(-120));
  if (asset) return offerNames(pos - (asset[1]?.length ?? 0), names.assets(), 'asset');
  const start = before.lastIndexOf('{{');
  if (start === -1 || before.includes('}}', start)) return null;
  const tag = before.slice(start + 2);
  let length = 0;
  while (length < tag.length && /[\w@.-]/.test(tag.charAt(tag.length - length - 1))) length += 1;
  const from = pos - length;
  const quote = tag.lastIndexOf('"');
  if (quote !== -1 && tag.slice(0, quote).trimEnd().endsWith('asset'))
    return offerNames(pos - (tag.length - quote - 1), names.assets(), 'asset');
  if (/^#?>\s*[\w-]*$/.test(tag)) return offerNames(from, names.partials(), 'partial');
  // Text in quotes is not completed.
  if ((tag.split('"').length - 1) % 2 === 1) return null;
  const isBlock = tag.startsWith('#');
  const isFirst = /^[#^/~&{]*\s*[\w@.-]*$/.test(tag);
  const isCall = /\(\s*[\w-]*$/.test(tag);
  const paths = pathsAt(before.slice(0, start), names.data());
  return {
    from,
    validFor: /^[\w@.-]*$/,
    options: [
      ...(isBlock && isFirst
        ? BLOCKS.map(({ name, detail, info }) => ({ label: name, detail, info, boost: 3 }))
        : []),
      ...(isBlock && isFirst
        ? []
        : paths.map(({ path, detail }) => ({ label: path, detail, type: 'property', boost: 2 }))),
      ...(isFirst || isCall
        ? TEMPLATE_HELPERS.filter(({ block }) => !isBlock || block).map(
            ({ name, signature, description }) => ({
              label: name,
              detail: signature.split(' ').slice(0, 3).join(' '),
              info: description,
              type: 'function',
            }),
          )
        : []),
    ],
  };
}

function offerNames(from: number, labels: string[], detail: string): CompletionResult {
  return { from, options: labels.map((label) => ({ label, detail })), validFor: /^[\w.-]*$/ };
}
