import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import classes from './code-editor.module.css';

/** Something to show at a line; lines count from 1. */
export interface LineMark {
  line: number | null;
  message: string;
  isFatal: boolean;
}

/** What could be written at a place (a number of characters from the start): from where on, and each with what it is. */
export type Suggest = (
  text: string,
  at: number,
) => { from: number; options: { label: string; insert?: string; info?: string }[] } | null;

interface CodeEditorProps {
  /** What stands in it at first, and again whenever it is another text. */
  text: string;
  label: string;
  marks: readonly LineMark[];
  /** Brought into sight, with the cursor; an object of its own for each time. */
  goTo?: { line: number } | null;
  isReadOnly?: boolean;
  /** Offered while one types, and with Ctrl-Space. The same object each time. */
  suggest?: Suggest;
  onChange: (text: string) => void;
}

const style = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--al-brand-text)' },
  { tag: [tags.string, tags.content], color: 'var(--al-text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--al-warning)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--al-dimmed)', fontStyle: 'italic' },
  { tag: [tags.labelName, tags.typeName, tags.meta], color: 'var(--al-ok)' },
]);

/** A text of code with line numbers and marks; loaded on demand, since it brings an editor along. */
export function CodeEditor({
  text,
  label,
  marks,
  goTo = null,
  isReadOnly = false,
  suggest,
  onChange,
}: CodeEditorProps) {
  const holder = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const told = useRef(onChange);
  told.current = onChange;

  useEffect(() => {
    if (!holder.current) return;
    const editor = new EditorView({
      parent: holder.current,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          highlightActiveLineGutter(),
          highlightActiveLine(),
          drawSelection(),
          history(),
          indentOnInput(),
          indentUnit.of('  '),
          lintGutter(),
          yaml(),
          syntaxHighlighting(style),
          ...(suggest ? [suggesting(suggest)] : []),
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
          EditorState.readOnly.of(isReadOnly),
          // Keys scroll it too where nothing can be typed.
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) told.current(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [text, label, isReadOnly, suggest]);

  useEffect(() => {
    const editor = view.current;
    if (editor)
      editor.dispatch(
        setDiagnostics(
          editor.state,
          marks.flatMap((mark) => diagnosticOf(mark, editor)),
        ),
      );
  }, [marks]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || !goTo) return;
    const { doc } = editor.state;
    const at = doc.line(Math.min(Math.max(goTo.line, 1), doc.lines)).from;
    editor.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
    editor.focus();
  }, [goTo]);

  return <div ref={holder} className={classes.editor} />;
}

const suggesting = (suggest: Suggest) =>
  autocompletion({
    icons: false,
    override: [
      ({ state, pos, explicit }) => {
        const found = suggest(state.doc.toString(), pos);
        if (!found || (!explicit && found.from === pos)) return null;
        const options = found.options.map(({ label, insert = label, info }) => ({
          label,
          apply: insert,
          ...(info === undefined ? {} : { info }),
        }));
        return { from: found.from, options, validFor: /^\w*$/ };
      },
    ],
  });

function diagnosticOf({ line, message, isFatal }: LineMark, { state: { doc } }: EditorView): Diagnostic[] {
  if (line === null || line > doc.lines) return [];
  const { from, to } = doc.line(line);
  return [{ from, to, message, severity: isFatal ? 'error' : 'warning' }];
}
