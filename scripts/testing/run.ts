import { spawn } from 'node:child_process';

export interface Outcome {
  code: number;
  output: string;
}

interface RunOptions {
  env?: Record<string, string | undefined>;
  /** Collect what is printed instead of showing it as it comes. */
  quiet?: boolean;
  cwd?: string;
}

/** Runs a command to its end. Never throws: a command that cannot be started has the code 127. */
export function run(command: string, args: string[], options: RunOptions = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const take = (chunk: Buffer) => {
      output += chunk.toString();
      if (!options.quiet) process.stdout.write(chunk);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', (error) => resolve({ code: 127, output: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** A tool of node_modules/.bin, run by the Node that runs this. */
export const tool = (name: string, args: string[], options?: RunOptions): Promise<Outcome> =>
  run(process.execPath, [`node_modules/.bin/${name}`, ...args], options);
