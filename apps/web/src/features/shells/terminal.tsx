import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { type ITheme, Terminal as XTerm } from '@xterm/xterm';
import { useEffect, useRef } from 'react';
import classes from './shells.module.css';
import { arrowFor, listenForText, TerminalKeys } from './terminal-keys.tsx';
import type { TerminalScreen } from './terminal-screen.ts';

interface TerminalProps {
  label: string;
  /** It has the size of its room, unless it shows a recording. */
  isFitted: boolean;
  /** Called once with the screen; what it answers ends its work. */
  onReady: (screen: TerminalScreen) => () => void;
  onKeys?: (text: string) => void;
  onSize?: (cols: number, rows: number) => void;
}

/** The same in both schemes: what programs paint was made for a dark ground. */
const THEME: ITheme = {
  background: '#10130f',
  foreground: '#e6e9e4',
  cursor: '#e6e9e4',
  selectionBackground: '#3d5a47',
};

/** A real terminal: colours, cursor, full-screen programs. Loaded on demand. */
export function Terminal({ label, isFitted, onReady, onKeys, onSize }: TerminalProps) {
  const holder = useRef<HTMLDivElement>(null);
  const press = useRef<(text: string) => void>(() => {});
  const calls = useRef({ onReady, onKeys, onSize });
  calls.current = { onReady, onKeys, onSize };
  useEffect(() => {
    const element = holder.current;
    if (!element) return;
    const terminal = new XTerm({
      fontFamily: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
      fontSize: 13,
      cursorBlink: true,
      scrollback: 5000,
      theme: THEME,
      screenReaderMode: true,
      disableStdin: calls.current.onKeys === undefined,
    });
    const fit = new FitAddon();
    terminal.loadAddon(fit);
    terminal.open(element);
    terminal.textarea?.setAttribute('aria-label', label);
    if (isFitted) fit.fit();
    const end = calls.current.onReady({
      get cols() {
        return terminal.cols;
      },
      get rows() {
        return terminal.rows;
      },
      show: (bytes, done) => terminal.write(bytes, done),
      resize: (cols, rows) => terminal.resize(cols, rows),
      reset: () => terminal.reset(),
    });
    terminal.onData((text) => calls.current.onKeys?.(text));
    press.current = (text) => {
      terminal.input(arrowFor(text, terminal.modes.applicationCursorKeysMode));
      terminal.focus();
    };
    const deaf = terminal.textarea
      ? listenForText(terminal.textarea, (text) => terminal.input(text))
      : () => {};
    terminal.onResize(({ cols, rows }) => calls.current.onSize?.(cols, rows));
    const observer = new ResizeObserver(() => {
      if (isFitted && element.clientWidth > 0) fit.fit();
    });
    observer.observe(element);
    if (calls.current.onKeys) terminal.focus();
    return () => {
      observer.disconnect();
      deaf();
      end();
      terminal.dispose();
    };
  }, [label, isFitted]);
  return (
    <>
      <div ref={holder} className={classes.terminal} />
      {onKeys ? <TerminalKeys onKey={(text) => press.current(text)} /> : null}
    </>
  );
}
