import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { deviceAsks } from '@albedo/contract/link/link.asks';
import { AskError } from '../link/ask-error.ts';
import { messageOf } from '../log.ts';
import type { AskHandlers } from './asks.ts';
import { openPty, type Pty, type PtyOptions } from './pty.ts';

export const shellAsks: Pick<AskHandlers, 'shell'> = {
  shell: async ({ input: { cols, rows }, signal, incoming, write, onTell }) => {
    const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
    const home = process.env.HOME ?? homedir();
    const pty = terminalOf(shell, {
      cols,
      rows,
      cwd: existsSync(home) ? home : '/',
      env: { ...process.env, HOME: home, TERM: 'xterm-256color', LANG: process.env.LANG ?? 'C.UTF-8' },
    });
    if (!pty)
      throw new AskError(
        'unable',
        'This agent has no terminal for the processor and the Node of this machine.',
      );
    onTell((value) => {
      const told = deviceAsks.shell.tell.safeParse(value);
      if (!told.success) return;
      if ('isCutOff' in told.data) pty.cutOff();
      else pty.resize(told.data.cols, told.data.rows);
    });
    const end = () => pty.hangUp();
    signal.addEventListener('abort', end, { once: true });
    const reading = (async () => {
      // What nobody took stays in the terminal: the program waits, as it does on a slow line.
      for await (const chunk of pty.output) await write(chunk as Buffer);
    })().catch(end);
    void (async () => {
      for await (const chunk of incoming) pty.write(chunk);
    })();
    try {
      const exitCode = await pty.exited;
      await reading;
      return { exitCode };
    } finally {
      signal.removeEventListener('abort', end);
      end();
    }
  },
};

/** Null where there is no library for terminals. It says no more than the name of the call that failed. */
export function terminalOf(shell: string, options: PtyOptions, open = openPty): Pty | null {
  try {
    return open(shell, ['-i'], options);
  } catch (error) {
    if (!/forkpty|openpty/.test(messageOf(error))) throw error;
    throw new AskError(
      'unable',
      'The device gives no terminal: too many are open on it, or it has none (/dev/pts). Try again in a moment.',
    );
  }
}
