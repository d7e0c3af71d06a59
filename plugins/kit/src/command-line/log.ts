/** What a plugin says while it works; everything goes to stderr, since stdout belongs to `discover`. */
export interface Log {
  error(text: string): void;
  /** Shown with -v. */
  info(text: string): void;
  /** Shown with -vv. */
  debug(text: string): void;
}

export function stderrLog(verbosity: number): Log {
  // What a machine answered may stand in it, and must not steer the terminal of whoever reads it.
  const write = (text: string) => void process.stderr.write(`${text.replace(/[^\P{Cc}\n\t]/gu, ' ')}\n`);
  const silent = () => {};
  return { error: write, info: verbosity >= 1 ? write : silent, debug: verbosity >= 2 ? write : silent };
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
