import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { forEachDiagnostic, lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { useEffect, useId, useImperativeHandle, useRef, useState } from 'preact/hooks';
import type { Ref } from 'preact';
import { baseExtensions } from './code-theme.ts';
import { find, findKeys, leaveWithTab } from './editing-keys.ts';

/** Commands to a code editor. */
export interface CodeHandle {
  /** Moves to a line and a column, which count from 1, and focuses the editor. */
  goTo: (line: number, column?: number) => void;
  /** Replaces the whole text. */
  replace: (text: string) => void;
  /** Opens the search panel. */
  find: () => void;
  /** Returns the text before the selection, and the selected text. */
  selection: () => { before: string; selected: string };
  /** Replaces the selection, indented like the line where it begins, and focuses the editor. */
  insert: (text: string) => void;
}

/** A fault in the text. Lines and columns count from 1. */
export interface CodeFault {
  line: number;
  column: number;
  message: string;
}

/** Remarks about ranges of a text, with an action for each. They apply only to this text. */
export interface CodeMarks {
  text: string;
  marks: readonly {
    from: number;
    to: number;
    message: string;
    action: { label: string; run: () => void };
  }[];
}

/** Renders a code editor. `value` is the initial text; later changes go through the handle. */
export function CodeEditor(props: {
  label: string;
  value: string;
  language: Extension;
  faults?: CodeFault[];
  marks?: CodeMarks | undefined;
  onChange: (text: string) => void;
  handle?: Ref<CodeHandle>;
}) {
  const element = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const onChange = useRef(props.onChange);
  onChange.current = props.onChange;
  const language = useRef(new Compartment());
  const hint = useId();
  const [tabLeaves, setTabLeaves] = useState(false);

  useEffect(() => {
    if (!element.current) return;
    const created = new EditorView({
      parent: element.current,
      state: EditorState.create({
        doc: props.value,
        extensions: [
          lineNumbers(),
          highlightActiveLineGutter(),
          history(),
          foldGutter({ openText: '▾', closedText: '▸' }),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          lintGutter(),
          findKeys,
          leaveWithTab(setTabLeaves),
          keymap.of([
            ...closeBracketsKeymap,
            ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter' && key !== 'Mod-i'),
            ...historyKeymap,
            ...foldKeymap,
            ...completionKeymap,
            ...lintKeymap,
            indentWithTab,
          ]),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({
            'aria-label': props.label,
            'aria-describedby': hint,
            tabindex: '0',
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) onChange.current(update.state.doc.toString());
          }),
          ...baseExtensions(),
          language.current.of(props.language),
        ],
      }),
    });
    view.current = created;
    return () => created.destroy();
  }, []);

  useEffect(() => {
    const current = view.current;
    if (!current) return;
    const faults = (props.faults ?? []).map((fault) => locate(current, fault));
    current.dispatch(setDiagnostics(current.state, [...faults, ...warningsOf(current, props.marks)]));
  }, [props.faults, props.marks]);

  // A change from outside, such as an inserted footer, replaces the text unless someone is typing.
  useEffect(() => {
    const current = view.current;
    if (!current || current.hasFocus || current.state.doc.toString() === normalise(props.value)) return;
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: props.value } });
  }, [props.value]);

  useImperativeHandle(
    props.handle ?? null,
    () => ({
      goTo(line, column = 1) {
        const current = view.current;
        if (!current) return;
        const target = current.state.doc.line(Math.min(line, current.state.doc.lines));
        const position = Math.min(target.from + column - 1, target.to);
        current.dispatch({
          selection: { anchor: position },
          effects: EditorView.scrollIntoView(position, { y: 'center' }),
        });
        current.focus();
      },
      replace(text) {
        const current = view.current;
        current?.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: text } });
      },
      find() {
        if (view.current) find(view.current);
      },
      selection() {
        const state = view.current?.state;
        if (!state) return { before: '', selected: '' };
        const { from, to } = state.selection.main;
        return { before: state.sliceDoc(0, from), selected: state.sliceDoc(from, to) };
      },
      insert(text) {
        const current = view.current;
        if (!current) return;
        const line = current.state.doc.lineAt(current.state.selection.main.from).text;
        const indentation = line.slice(0, line.length - line.trimStart().length);
        current.dispatch(current.state.replaceSelection(text.replaceAll('\n', `\n${indentation}`)), {
          scrollIntoView: true,
        });
        current.focus();
      },
    }),
    [],
  );
  return (
    <div class="code-editor">
      <div class="code-text" ref={element} />
      <p class="code-hint" id={hint}>
        {tabLeaves ? (
          <>
            <kbd>Tab</kbd> now leaves the editor.
          </>
        ) : (
          <>
            <kbd>Esc</kbd>, then <kbd>Tab</kbd> leaves the editor.
          </>
        )}
      </p>
    </div>
  );
}

/** Converts a fault to a diagnostic of the tag that begins there, or of the rest of the line. */
function locate({ state }: EditorView, { line, column, message }: CodeFault): Diagnostic {
  const { from, to, text } = state.doc.line(Math.max(1, Math.min(line, state.doc.lines)));
  const start = Math.min(from + Math.max(0, column - 1), to);
  const close = text.indexOf('}}', start - from);
  const end = close === -1 ? to : Math.min(from + close + 2, to);
  return { from: Math.min(start, Math.max(from, to - 1)), to: end, severity: 'error', message };
}

/** Returns a text with the line ends that the code editor uses. */
function normalise(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/**
 * Returns the diagnostics of marks. While the marks belong to an older text, the shown ones stay, which move
 * with the text.
 */
function warningsOf({ state }: EditorView, marks: CodeMarks | undefined): Diagnostic[] {
  if (marks?.text === state.doc.toString())
    return marks.marks.map(({ from, to, message, action }) => ({
      from,
      to,
      message,
      severity: 'warning',
      actions: [{ name: action.label, apply: action.run }],
    }));
  const shown: Diagnostic[] = [];
  forEachDiagnostic(state, (diagnostic, from, to) => {
    if (diagnostic.severity === 'warning') shown.push({ ...diagnostic, from, to });
  });
  return shown;
}
