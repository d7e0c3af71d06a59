import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Theme } from '@albedo/contract/workgroups/workgroups.schema';
import { createTransport, type Transporter } from 'nodemailer';
import type { Logger } from 'pino';
import { type Letter, renderLetter } from './letter.ts';

export interface Mail extends Letter {
  to: string;
}

export interface MailerOptions {
  smtpUrl: string | null;
  outboxDir: string;
  from: () => string;
  /** How letters look. */
  theme: () => Theme;
  log: Logger;
}

/** Waits between the attempts to hand a mail to the SMTP server, ms. */
const RETRY_MS = [1000, 10_000];
const SMTP_TIMEOUT_MS = 15_000;
/** A stop waits this long for mails on their way. */
const STOP_MS = 4000;

/**
 * Sends mails in the background: over SMTP when an address is given, otherwise as `.eml` files into the outbox folder.
 *
 * Nobody waits for a mail, so neither the time of an answer nor its failure tells whether one was sent.
 */
export class Mailer {
  readonly #options: MailerOptions;
  readonly #transport: Transporter;
  readonly #stopped = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(options: MailerOptions) {
    this.#options = options;
    this.#transport = (
      options.smtpUrl
        ? createTransport({
            url: options.smtpUrl,
            connectionTimeout: SMTP_TIMEOUT_MS,
            greetingTimeout: SMTP_TIMEOUT_MS,
            socketTimeout: SMTP_TIMEOUT_MS,
          })
        : createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
    ) as Transporter;
  }

  /** Sends what `write` answers, if anything; returns at once and never throws. */
  send(write: Mail | (() => Promise<Mail | null>)): void {
    const running = this.#send(write).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves when every mail so far is sent or given up. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Waits a moment for mails on their way; attempts that are due later are given up. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    const late = new Promise<void>((resolve) => setTimeout(resolve, STOP_MS).unref());
    await Promise.race([this.idle(), late]);
    this.#transport.close();
  }

  async #send(write: Mail | (() => Promise<Mail | null>)): Promise<void> {
    const { log } = this.#options;
    let subject = 'unwritten';
    try {
      const mail = typeof write === 'function' ? await write() : write;
      if (!mail) return;
      subject = mail.subject;
      await this.#deliver(mail);
      log.info({ subject }, 'mail sent');
    } catch (error) {
      // Neither the body nor what the server answered: both may hold secrets.
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      log.error({ subject, code, responseCode }, 'a mail could not be sent');
    }
  }

  async #deliver(mail: Mail): Promise<void> {
    const message = {
      from: this.#options.from(),
      to: { name: '', address: mail.to },
      subject: mail.subject,
      ...renderLetter(mail, this.#options.theme()),
      disableFileAccess: true,
      disableUrlAccess: true,
    };
    if (this.#options.smtpUrl === null) {
      const { message: bytes } = (await this.#transport.sendMail(message)) as { message: Buffer };
      return this.#keep(bytes);
    }
    for (const waitMs of [...RETRY_MS, null]) {
      try {
        await this.#transport.sendMail(message);
        return;
      } catch (error) {
        if (waitMs === null || this.#stopped.signal.aborted || isFinal(error)) throw error;
        await this.#wait(waitMs);
      }
    }
  }

  /** Written beside and renamed, so that nobody reads half a mail. */
  async #keep(bytes: Buffer): Promise<void> {
    const { outboxDir } = this.#options;
    await mkdir(outboxDir, { recursive: true, mode: 0o700 });
    const name = `${new Date().toISOString().replaceAll(':', '-')}-${crypto.randomUUID().slice(0, 8)}.eml`;
    const path = join(outboxDir, name);
    await writeFile(`${path}.new`, bytes, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#stopped.signal.addEventListener(
        'abort',
        () => {
          clearTimeout(timer);
          resolve();
        },
        { once: true },
      );
    });
  }
}

/** The server refused for good (5xx), so another attempt ends the same way. */
const isFinal = (error: unknown): boolean => ((error as { responseCode?: number }).responseCode ?? 0) >= 500;
