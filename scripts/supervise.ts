import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLOUD_ENV, CLOUD_FLAGS } from '../demo/src/cloud-program.ts';

/** The exit code of a server from which something escaped. Source: EX_SOFTWARE of sysexits.h. */
const BROKEN = 70;
/** A server that ran so long had started well, ms. */
const STEADY_MS = 10_000;
const PAUSE_MS = { first: 500, longest: 30_000 };
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs the program, and again when it breaks or is killed; with a growing pause when it does so at once. Answers the exit
 * code when it stops, or when it cannot even start: what is wrong then is no accident.
 */
export async function supervise(program: string, say: (text: string) => void): Promise<number> {
  let child: ChildProcess | null = null;
  let isStopping = false;
  let hasRun = false;
  let pauseMs = PAUSE_MS.first;
  const pass = (signal: NodeJS.Signals) => {
    isStopping = true;
    child?.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  try {
    for (;;) {
      const startedAt = performance.now();
      child = spawn(process.execPath, [...CLOUD_FLAGS, program], {
        stdio: 'inherit',
        // What somebody chose themselves counts.
        env: { ...CLOUD_ENV, ...process.env },
      });
      const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
      const isSteady = performance.now() - startedAt > STEADY_MS;
      hasRun ||= isSteady;
      const isBroken = signal !== null || code === BROKEN || (hasRun && code !== 0);
      if (isStopping || !isBroken) return code ?? (isStopping ? 0 : 1);
      if (isSteady) pauseMs = PAUSE_MS.first;
      say(`The server ended (${signal ?? `code ${code}`}) and is started again.`);
      await sleep(pauseMs);
      pauseMs = Math.min(PAUSE_MS.longest, pauseMs * 2);
      if (isStopping) return 0;
    }
  } finally {
    for (const signal of SIGNALS) process.off(signal, pass);
  }
}
