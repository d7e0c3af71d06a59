export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

const ORDER: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** One line for each message on stderr, where systemd and `nohup` collect it. A line that repeats is printed once a minute. */
export function createLog(
  level: LogLevel,
  write: (line: string) => unknown = (line) => process.stderr.write(line),
): Log {
  const lastAt = new Map<string, number>();
  const print = (at: LogLevel, message: string): void => {
    if (ORDER[at] < ORDER[level]) return;
    const now = performance.now();
    const last = lastAt.get(message);
    if (at !== 'info' && last !== undefined && now - last < 60_000) return;
    if (lastAt.size > 1000) lastAt.clear();
    lastAt.set(message, now);
    write(`${new Date().toISOString()} ${at.padEnd(5)} ${message}\n`);
  };
  return {
    debug: (message) => print('debug', message),
    info: (message) => print('info', message),
    warn: (message) => print('warn', message),
    error: (message) => print('error', message),
  };
}

/** The message of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The system's code of an error (`ENOENT`, `ERR_SQLITE_ERROR`, …); empty when it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
