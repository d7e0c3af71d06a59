/** What keeps services running: systemd where the machine has it, else the agent. */
export interface ServiceKeeper {
  /** Runs the command from now on, also after it ended and after the machine started again. */
  activate(name: string, program: ServiceProgram): Promise<void>;
  /** Ends it for good. */
  deactivate(name: string): Promise<void>;
  /** Until it is resumed, or the machine starts again. */
  pause(name: string): Promise<void>;
  resume(name: string): Promise<void>;
  isRunning(name: string): Promise<boolean>;
  starts(name: string): number;
  /** The last lines that it said. */
  lines(name: string, count: number): Promise<string[]>;
  stop(): Promise<void>;
}

export interface ServiceProgram {
  plugin: string;
  command: string;
  file: string;
}

const ESCAPE = String.fromCharCode(27);
const ESCAPES = new RegExp(`${ESCAPE}\\[[0-9;?]*[ -/]*[@-~]`, 'g');

/** Text without what a terminal would obey. */
export const plainLine = (line: string): string =>
  line
    .replace(ESCAPES, '')
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .slice(0, 2000);
