/** Says one line to the person at the terminal. */
export type Say = (line: string) => void;

/** What a person at a terminal of this machine can have a running server do: answers the exit code. */
export type Command = (args: readonly string[], say: Say, signal: AbortSignal) => Promise<number>;

/** Commands by their words, such as `audit verify`. */
export type Commands = Readonly<Record<string, Command>>;

/** A mistake of who typed; its message is all they need. */
export class CommandError extends Error {}
