import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Theme } from '@albedo/contract/workgroups/workgroups.schema';
import type { Transaction } from '@albedo/postgres/postgres';
import type { Transporter } from 'nodemailer';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Attempt, Attempts, Limit } from '../attempts/attempts.ts';
import type { Bus } from '../bus/bus.ts';
import type { OwnCertificate } from '../config/authority-file.ts';
import { defineJob, Hopeless, type Run } from '../jobs/job.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import type { Seal } from '../secrets/sealed.ts';
import { type Letter, renderLetter } from './letter.ts';
import { mailEnded } from './mail.topics.ts';

export type { Letter } from './letter.ts';

export interface Mail extends Letter {
  /** One address, or several that all see each other. */
  to: string | readonly string[];
  attachments?: readonly Attachment[];
  /** Whose doing it is: workgroups take turns, so that a burst of one delays nobody else's mails. */
  workgroup?: string;
  /** What strangers can have sent to any address: a mailbox gets a handful of each an hour. */
  kind?: 'invitation' | 'test';
  /** What whoever sent it knows it by when they hear how it ended (`mailEnded`). */
  reference?: string;
}

export interface Attachment {
  name: string;
  /** Media type. */
  type: string;
  content: Buffer;
}

export interface MailerOptions {
  smtpUrl: string | null;
  /** A mail server that offers no TLS gets no mail. */
  requireTls?: boolean;
  /** The only authorities whose certificates the mail server may show, PEM. */
  ca?: string | null;
  /** What we show it, where it asks for a certificate. */
  own?: OwnCertificate | null;
  outboxDir: string;
  from: () => string;
  /** How letters look. */
  theme: () => Theme;
  jobs: Jobs;
  attempts: Pick<Attempts, 'count'>;
  /** Keeps what waits from being read in the database: mails open accounts. */
  seal: Seal;
  bus: Bus;
  log: Logger;
}

const SMTP_TIMEOUT_MS = 15_000;
/** Whoever has others send mails to an address, a mailbox does not fill up with them. */
export const MAILS_TO_ONE: Limit = { name: 'mails', limit: 60, windowMs: 3_600_000 };
/** Mails of one kind to one address. */
const OF_ONE_KIND: Omit<Limit, 'name'> = { limit: 5, windowMs: 3_600_000 };
/** A stop waits this long for mails on their way. */
const STOP_MS = 4000;

/** A mail as it waits; what is sealed is a `Message`. */
const waitingMail = z.object({
  subject: z.string(),
  sealed: z.string(),
  workgroup: z.string().optional(),
  reference: z.string().optional(),
});
type WaitingMail = z.output<typeof waitingMail>;

interface Message {
  from: string;
  to: Address | Address[];
  subject: string;
  text: string;
  html: string;
  attachments?: { filename: string; contentType: string; content: string; encoding: 'base64' }[];
}

interface Address {
  name: '';
  address: string;
}

const addressOf = (address: string): Address => ({ name: '', address });

/**
 * Sends mails in the background: over SMTP when an address is given, otherwise as `.eml` files into the outbox folder.
 *
 * Nobody waits for a mail, so neither the time of an answer nor its failure tells whether one was sent. It is written
 * at once and handed over by a job, which tries for hours. Each attempt has the same `Message-ID`, by which servers and
 * programs know a mail that came twice; a file is there once.
 */
export class Mailer {
  readonly #options: MailerOptions;
  #transport: Promise<Transporter> | null = null;
  readonly #running = new Set<Promise<void>>();

  readonly job = defineJob({
    name: 'mail',
    payload: waitingMail,
    limitS: 60,
    retry: { times: 9, afterS: 10, atMostS: 3600 },
    sideBySide: 3,
    turns: { of: ({ workgroup = 'nobody' }) => workgroup, atOnce: 2 },
    about: ({ subject }) => subject,
    run: (run) => this.#deliver(run),
    onDead: async ({ payload }, error) => this.#tellEnd(payload, error.message),
  });

  constructor(options: MailerOptions) {
    this.#options = options;
  }

  /** Sends what `write` answers, if anything; returns at once and never throws. */
  send(write: Mail | (() => Promise<Mail | null>)): void {
    const running = this.#send(write).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Hands a mail over inside a transaction: it is sent once that commits, and only then. Call `wake` after it. */
  async hand(mail: Mail, inside: Transaction): Promise<void> {
    await this.#options.jobs.send(this.job, this.#sealed(mail), { inside });
  }

  /** Has what was handed over sent at once. */
  wake(): void {
    this.#options.jobs.wake(this.job);
  }

  /** Resolves when every mail so far was tried. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
    await this.#options.jobs.idle(this.job);
  }

  /** Waits a moment for mails that are being written. */
  async stop(): Promise<void> {
    const late = new Promise<void>((resolve) => setTimeout(resolve, STOP_MS).unref());
    await Promise.race([Promise.all(this.#running), late]);
    (await this.#transport)?.close();
  }

  async #send(write: Mail | (() => Promise<Mail | null>)): Promise<void> {
    const { jobs, log } = this.#options;
    let subject = 'unwritten';
    try {
      const mail = typeof write === 'function' ? await write() : write;
      if (!mail) return;
      subject = mail.subject;
      const to = await this.#withRoom(mail);
      if (to.length > 0) await jobs.send(this.job, this.#sealed({ ...mail, to }));
      if (to.length < [mail.to].flat().length)
        log.warn({ subject }, 'a mail was not sent: its recipient got too many within the hour');
    } catch (error) {
      log.error({ subject, ...codesOf(error) }, 'a mail could not be sent');
    }
  }

  /** Those of the addresses that did not get too many mails within the hour. */
  async #withRoom({ to, kind }: Mail): Promise<string[]> {
    const open: string[] = [];
    for (const address of [to].flat() as string[]) {
      const key = address.toLowerCase();
      const ofKind: Attempt[] = kind ? [[{ name: `mails of ${kind}`, ...OF_ONE_KIND }, key]] : [];
      if ((await this.#options.attempts.count([MAILS_TO_ONE, key], ...ofKind)) === 0) open.push(address);
    }
    return open;
  }

  #sealed(mail: Mail): WaitingMail {
    const { to, subject, attachments, workgroup, reference } = mail;
    const message: Message = {
      from: this.#options.from(),
      to: typeof to === 'string' ? addressOf(to) : to.map(addressOf),
      subject,
      ...renderLetter(mail, this.#options.theme()),
      ...(attachments ? { attachments: attachments.map(attached) } : {}),
    };
    const sealed = this.#options.seal.close(JSON.stringify(message), OWNER);
    return {
      subject,
      sealed,
      ...(workgroup === undefined ? {} : { workgroup }),
      ...(reference === undefined ? {} : { reference }),
    };
  }

  async #deliver({ id, payload, sentAt }: Run<WaitingMail>): Promise<void> {
    const { seal, smtpUrl, log } = this.#options;
    const { subject } = payload;
    const message = JSON.parse(seal.open(payload.sealed, OWNER)) as Message;
    const messageId = `<${id}@${message.from.replace(/^.*@/, '')}>`;
    const safe = { disableFileAccess: true, disableUrlAccess: true };
    try {
      this.#transport ??= transportTo(this.#options);
      const sent = await (await this.#transport).sendMail({ ...message, messageId, date: sentAt, ...safe });
      if (smtpUrl === null) await this.#keep((sent as { message: Buffer }).message, id, sentAt);
    } catch (error) {
      const codes = codesOf(error);
      log.error({ subject, ...codes }, 'a mail could not be sent');
      const reason = `The mail server did not take it (${codes.responseCode ?? codes.code ?? 'no answer'}).`;
      // The mail itself is refused for good (5xx), and not we: another attempt ends the same way.
      const isOfMail = codes.code === 'EENVELOPE' || codes.code === 'EMESSAGE';
      throw isOfMail && (codes.responseCode ?? 0) >= 500 ? new Hopeless(reason) : new Error(reason);
    }
    log.info({ subject }, 'mail sent');
    this.#tellEnd(payload, null);
  }

  #tellEnd({ workgroup, reference }: WaitingMail, error: string | null): void {
    if (workgroup !== undefined && reference !== undefined)
      void this.#options.bus.publish(mailEnded, { workgroup, reference, error });
  }

  /** Written beside and renamed, so that nobody reads half a mail; a second attempt writes the same file. */
  async #keep(bytes: Buffer, id: string, sentAt: Date): Promise<void> {
    const { outboxDir } = this.#options;
    await mkdir(outboxDir, { recursive: true, mode: 0o700 });
    const path = join(outboxDir, `${sentAt.toISOString().replaceAll(':', '-')}-${id}.eml`);
    await writeFile(`${path}.new`, bytes, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
}

/** Made with the first mail. */
async function transportTo({ smtpUrl, requireTls, ca, own }: MailerOptions): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const transport = smtpUrl
    ? createTransport({
        url: smtpUrl,
        requireTLS: requireTls ?? false,
        ...(ca || own ? { tls: { ...(ca ? { ca } : {}), ...own } } : {}),
        connectionTimeout: SMTP_TIMEOUT_MS,
        greetingTimeout: SMTP_TIMEOUT_MS,
        socketTimeout: SMTP_TIMEOUT_MS,
      })
    : createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return transport as Transporter;
}

const attached = ({ name, type, content }: Attachment) => ({
  filename: name,
  contentType: type,
  content: content.toString('base64'),
  encoding: 'base64' as const,
});

/** Neither the body of a mail nor what the server answered is told: both may hold secrets. */
function codesOf(error: unknown): { code?: string | undefined; responseCode?: number | undefined } {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return { code, responseCode };
}

/** Whom what waits is sealed for. */
const OWNER = 'mail';
