import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { messageOf } from '../log.ts';
import type { Program } from './program.ts';

/** How this agent comes back after it ends: by the service manager, or by a successor that it starts itself. */
export interface Launch {
  byService: boolean;
  /** The program and its arguments, as this one was started. */
  command: readonly string[];
  pidFile: string;
}

export const launchHere = (pidFile: string): Launch => ({
  byService: process.env.INVOCATION_ID !== undefined && existsSync('/run/systemd/system'),
  command: [process.execPath, ...process.execArgv, ...process.argv.slice(1)],
  pidFile,
});

/**
 * What `at` runs when the time of a trial is over: brings the version before back, unless the new one has been
 * confirmed meanwhile. It needs nothing of either version, and `at` keeps it over a restart of the machine.
 */
export function guardScript(program: Program, id: string, back: string, launch: Launch): string {
  const { byService, command, pidFile } = launch;
  const again = byService
    ? 'systemctl restart albedo'
    : [
        `kill -9 "$(cat ${quoted(pidFile)})" 2>/dev/null`,
        `nohup ${command.map(quoted).join(' ')} >/dev/null 2>&1 </dev/null &`,
        `echo $! >${quoted(pidFile)}`,
      ].join('\n');
  return `cd ${quoted(program.versions)} || exit 1
grep -q ${quoted(id)} trial.json 2>/dev/null || exit 0
ln -sfn ${quoted(back)} ../.agent.mjs.back && mv -Tf ../.agent.mjs.back ../agent.mjs || exit 1
mv -f trial.json returned.json
sync
${again}
`;
}

/** Hands a script to `at`. Throws where it does not take it. */
export function schedule(script: string, minutes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('at', ['now', '+', String(minutes), 'minutes'], {
      stdio: ['pipe', 'ignore', 'pipe'],
      env: { ...process.env, SHELL: '/bin/bash' },
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-500);
    });
    child.once('error', (error) => reject(new Error(`at: ${messageOf(error)}`)));
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`at: ${said.trim()}`))));
    child.stdin.on('error', () => {});
    child.stdin.end(script);
  });
}

/** One word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
