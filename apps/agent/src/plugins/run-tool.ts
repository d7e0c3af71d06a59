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

export interface ToolInput {
  /** What it reads. */
  input?: string;
  /** Characters that it may print; what is beyond is left out. */
  most?: number;
}

/** Runs a tool of this machine to its end. Throws what keeps it from being run at all, but for its absence. */
export function runTool(
  command: string,
  args: string[],
  signal: AbortSignal,
  { input, most = MOST }: ToolInput = {},
): Promise<ToolEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], signal });
    let printed = '';
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      if (printed.length < most) printed += chunk;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-1000);
    });
    // It may end before it has read everything.
    child.stdin.on('error', () => {}).end(input ?? '');
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') resolve({ code: TOOL_MISSING, printed, said });
      else reject(error);
    });
    child.once('close', (code) => resolve({ code, printed, said: said.trim() }));
  });
}
