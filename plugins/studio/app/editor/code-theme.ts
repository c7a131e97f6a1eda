import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '12.5px', color: 'var(--ink)', backgroundColor: 'var(--surface)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.65', overflow: 'auto' },
  '.cm-content': { padding: '12px 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 16px 0 8px' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)', borderLeftWidth: '2px' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--faint)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '36px', padding: '0 4px 0 8px' },
  '.cm-foldGutter .cm-gutterElement': { color: 'var(--faint)', padding: '0 2px' },
  '.cm-gutter-lint': { width: '14px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0 0 0 4px' },
  '.cm-lint-marker': { width: '8px', height: '8px', marginTop: '6px' },
  '.cm-lint-marker-error': { content: '""', backgroundColor: 'var(--bad)', borderRadius: '50%' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--ink) 3.5%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--focus) 24%, transparent)',
  },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'color-mix(in srgb, var(--focus) 22%, transparent)',
  },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--sunken)',
    color: 'var(--soft)',
    border: 'none',
    padding: '0 6px',
  },
  '.cm-mustache': {
    color: 'var(--code-mustache)',
    backgroundColor: 'var(--code-mustache-ground)',
    borderRadius: '3px',
  },
  '.cm-mustache *': { color: 'inherit' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad)',
    textUnderlineOffset: '3px',
  },
  '.cm-lint-marker-warning': { content: '""', backgroundColor: 'var(--warn)', borderRadius: '50%' },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--warn)',
    textUnderlineOffset: '3px',
  },
  '.cm-diagnosticAction': {
    minHeight: '24px',
    padding: '2px 8px',
    color: 'var(--on-primary)',
    backgroundColor: 'var(--primary)',
    borderRadius: '5px',
    cursor: 'pointer',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    border: 'none',
    borderRadius: '8px',
    boxShadow: 'var(--shadow-pop)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono)',
    maxHeight: '260px',
    minWidth: '260px',
    padding: '4px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    gap: '16px',
    padding: '4px 8px',
    borderRadius: '5px',
    lineHeight: '1.5',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--hover)',
    color: 'var(--ink)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600', color: 'var(--accent)' },
  '.cm-completionDetail': { marginLeft: 'auto', fontStyle: 'normal', color: 'var(--faint)' },
  '.cm-completionInfo': {
    padding: '10px 12px',
    maxWidth: '340px',
    fontFamily: 'var(--sans)',
    lineHeight: '1.5',
    color: 'var(--soft)',
  },
  '.cm-diagnostic': { padding: '8px 12px', border: 'none', fontFamily: 'var(--sans)' },
  '.cm-changedLine': { backgroundColor: 'color-mix(in srgb, var(--good) 9%, transparent)' },
  '.cm-deletedChunk': { backgroundColor: 'color-mix(in srgb, var(--bad) 8%, transparent)', padding: '0 8px' },
  '.cm-changedText': { background: 'color-mix(in srgb, var(--good) 26%, transparent)' },
  '.cm-deletedChunk .cm-deletedText': { background: 'color-mix(in srgb, var(--bad) 26%, transparent)' },
  '.cm-collapsedLines': {
    color: 'var(--soft)',
    background: 'var(--sunken)',
    padding: '4px 12px',
    fontFamily: 'var(--sans)',
  },
});

const highlight = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket, tags.definitionKeyword], color: 'var(--code-tag)' },
  {
    tag: [tags.attributeName, tags.propertyName, tags.className, tags.definition(tags.propertyName)],
    color: 'var(--code-name)',
  },
  { tag: [tags.string, tags.attributeValue], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.unit, tags.color, tags.atom], color: 'var(--code-number)' },
  { tag: [tags.keyword, tags.modifier], color: 'var(--code-tag)' },
  { tag: [tags.comment, tags.documentMeta, tags.processingInstruction], color: 'var(--code-note)' },
]);

/**
 * Returns the theme of all code editors, with the nonce that the content security policy requires for their
 * style sheets.
 */
export function baseExtensions(): Extension[] {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
  return [EditorView.cspNonce.of(nonce), theme, syntaxHighlighting(highlight)];
}
