import { spawn } from 'node:child_process';

/** What a shell says of a command that is not there. */
export const TOOL_MISSING = 127;
const MOST = 200_000;

export interface ToolEnd {
  /** Null for one that was ended. */
  code: number | null;
  printed: string;
  /** The end of what it complained. */
  said: string;
}

/** Runs a tool of this machine to its end. Throws what keeps it from being run at all, but for its absence. */
export function runTool(command: string, args: string[], signal: AbortSignal): Promise<ToolEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], signal });
    let printed = '';
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      if (printed.length < MOST) printed += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-1000);
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') resolve({ code: TOOL_MISSING, printed, said });
      else reject(error);
    });
    child.once('close', (code) => resolve({ code, printed, said: said.trim() }));
  });
}
