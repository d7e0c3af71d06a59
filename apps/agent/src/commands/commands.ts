import { LINK_LIMITS, type ReplyMessage } from '@albedo/contract/link/link.messages';
import { runCommand, runDisowned } from './process.ts';
import { WholeOutput } from './whole-output.ts';

const MAX_RUNNING = 32;
/** Room that the rest of a reply takes in its message, bytes. */
const REPLY_ROOM = 2048;

export interface CommandRequest {
  correlationId: string;
  cmd: string;
  timeoutS: number;
  disown: boolean;
}

/** Runs shell commands for people in the cloud. One reply for each request, cut so that it fits into a message. */
export class Commands {
  readonly #reply: (reply: ReplyMessage) => void;
  readonly #folder: string;
  readonly #stopping = new AbortController();
  readonly #running = new Set<string>();

  /** `folder` holds the outputs that are too long to be told. */
  constructor(reply: (reply: ReplyMessage) => void, folder: string) {
    this.#reply = reply;
    this.#folder = folder;
  }

  /** A request that comes twice, as the link may deliver it, runs once. */
  async run({ correlationId, cmd, timeoutS, disown }: CommandRequest): Promise<void> {
    if (this.#running.has(correlationId)) return;
    if (this.#running.size >= MAX_RUNNING) {
      this.refuse(correlationId, `${MAX_RUNNING} commands are already running on this device.`);
      return;
    }
    this.#running.add(correlationId);
    const finished = disown
      ? await runDisowned(cmd)
      : await runCommand(cmd, {
          timeoutMs: timeoutS * 1000,
          signal: this.#stopping.signal,
          whole: (name) => new WholeOutput(this.#folder, `${fileName(correlationId)}.${name}`),
        });
    this.#running.delete(correlationId);
    this.#reply(shorten({ correlationId, complete: true, ...finished }));
  }

  /** Answers why a command is not run. */
  refuse(correlationId: string, error: string): void {
    const none = { stdout: '', stderr: '', returnCode: null, killed: false, pid: null };
    this.#reply({ correlationId, complete: true, ...none, error });
  }

  /** Ends what still runs, except disowned commands. */
  stop(): void {
    this.#stopping.abort();
  }
}

/** The id comes from outside. */
const fileName = (id: string): string => id.replace(/[^A-Za-z0-9-]/g, '').slice(0, 60) || 'command';

/** Control characters take up to six bytes each in a message, so what fits is found by trying. */
function shorten(reply: ReplyMessage): ReplyMessage {
  const fitted = { ...reply };
  const limit = LINK_LIMITS.messageBytes - REPLY_ROOM;
  for (let share = 1; Buffer.byteLength(JSON.stringify(fitted)) > limit; share *= 0.8) {
    fitted.stdout = cut(reply.stdout, share);
    fitted.stderr = cut(reply.stderr, share);
  }
  return fitted;
}

function cut(text: string, share: number): string {
  const kept = Math.floor(text.length * share);
  if (text.length < 1000 || kept === text.length) return text;
  return `${text.slice(0, kept)}\n[cut: ${text.length - kept} more characters]\n`;
}
