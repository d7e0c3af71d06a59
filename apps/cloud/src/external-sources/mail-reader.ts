import type { Mailbox } from '@albedo/contract/external-sources/external-sources.schema';
import { fitsPattern } from '@albedo/contract/labelling/wildcards';
import { storableText } from '@albedo/postgres/storable';
import type { ImapFlow } from 'imapflow';
import { bare, OutsideError, type OutsideFetch, wordsOf } from '../outbound/outside-fetch.ts';
import { FILE_BYTES, type ForeignBytes, RefusedFile } from './foreign-files.ts';

/** The size of a mail with the largest allowed file in base64. */
const MAIL_BYTES = FILE_BYTES * 1.4 + 500_000;
/** Files read from one mail. */
const FILES = 50;
/** How many days back mails are searched. */
const DAYS = 31;

/** How far a mailbox has been read; with another `validity` its numbers start again. */
export interface MailCursor {
  validity: string;
  uid: number;
}

export interface Mail {
  uid: number;
  bytes: number;
  at: number;
}

/** An open mailbox. Nothing in it is changed or marked as read. */
export class MailReader {
  readonly validity: string;
  readonly #client: ImapFlow;
  readonly #mailbox: Mailbox;

  private constructor(client: ImapFlow, mailbox: Mailbox, validity: string) {
    this.#client = client;
    this.#mailbox = mailbox;
    this.validity = validity;
  }

  /** Connects through the gate; `cut` ends the connection. Throws `OutsideError`. */
  static async open(
    gate: OutsideFetch,
    mailbox: Mailbox,
    password: string | null,
    cut?: AbortSignal,
  ): Promise<MailReader> {
    const { address, user, folder } = mailbox;
    if (!URL.canParse(address)) throw new OutsideError('this is no address.');
    const url = new URL(address);
    const isSecure = url.protocol.toLowerCase() === 'imaps:';
    const place = await gate.placeOf(url);
    const { ImapFlow: Client } = await import('imapflow');
    const client = new Client({
      host: place,
      servername: bare(url.hostname),
      port: Number(url.port || (isSecure ? 993 : 143)),
      secure: isSecure,
      auth: { user, pass: password ?? '' },
      logger: false,
      disableAutoIdle: true,
      connectionTimeout: 20_000,
      greetingTimeout: 20_000,
      socketTimeout: 60_000,
      maxLiteralSize: MAIL_BYTES,
    });
    client.on('error', () => undefined);
    const end = () => client.close();
    cut?.addEventListener('abort', end, { once: true });
    client.on('close', () => cut?.removeEventListener('abort', end));
    try {
      await client.connect();
      const { uidValidity } = await client.mailboxOpen(folder, { readOnly: true });
      return new MailReader(client, mailbox, String(uidValidity));
    } catch (error) {
      const mayIn = client.authenticated;
      client.close();
      throw new OutsideError(openWords(error, url.host, { folder, mayIn: Boolean(mayIn) }), { cause: error });
    }
  }

  /** Matching mails after the cursor, oldest first. Throws `OutsideError`. */
  async list(after: MailCursor | null): Promise<Mail[]> {
    const { from, subject } = this.#mailbox;
    const last = after?.validity === this.validity ? after.uid : 0;
    try {
      const matches = await this.#client.search(
        {
          since: new Date(Date.now() - DAYS * 86_400_000),
          ...(from ? { from } : {}),
          ...(subject ? { subject } : {}),
          ...(last > 0 ? { uid: `${last + 1}:*` } : {}),
        },
        { uid: true },
      );
      // A range that ends with `*` always includes the newest mail.
      const uids = (matches || []).filter((uid) => uid > last).toSorted((a, b) => a - b);
      if (uids.length === 0) return [];
      const mails: Mail[] = [];
      const wanted = { uid: true, size: true, internalDate: true };
      for await (const { uid, size, internalDate } of this.#client.fetch(uids, wanted, { uid: true }))
        mails.push({ uid, bytes: size ?? 0, at: new Date(internalDate ?? 0).getTime() });
      return mails.toSorted((a, b) => a.uid - b.uid);
    } catch (error) {
      throw new OutsideError('the mailbox could not be searched.', { cause: error });
    }
  }

  /** The attachments of a mail with matching names. Throws `RefusedFile`, `OutsideError`. */
  async read({ uid, bytes }: Mail): Promise<{ id: string; files: ForeignBytes[] }> {
    if (bytes > MAIL_BYTES)
      throw new RefusedFile(`The mail has more than ${Math.round(MAIL_BYTES / 1e6)} MB.`);
    const source = await this.#source(uid);
    if (!source) return { id: String(uid), files: [] };
    if (source.length > MAIL_BYTES) throw new RefusedFile('The mail is too large.');
    const { default: PostalMime } = await import('postal-mime');
    const mail = await PostalMime.parse(source, { maxNestingDepth: 50 }).catch((error: unknown) => {
      throw new RefusedFile('The mail cannot be read.', { cause: error });
    });
    const files = mail.attachments.flatMap(({ filename, content }, i): ForeignBytes[] => {
      const said = (filename ?? `attachment ${i + 1}`).replaceAll(/[/\\\p{Cc}]/gu, '_');
      const name = storableText(said.slice(0, 200));
      if (!fitsPattern(this.#mailbox.files, name)) return [];
      return [
        {
          name,
          bytes: typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as ArrayBuffer),
        },
      ];
    });
    if (files.length > FILES) throw new RefusedFile(`The mail has more than ${FILES} files.`);
    return { id: storableText((mail.messageId ?? String(uid)).slice(0, 300)), files };
  }

  async #source(uid: number): Promise<Buffer | undefined> {
    try {
      const wanted = { source: { maxLength: MAIL_BYTES + 1 } };
      const mail = await this.#client.fetchOne(String(uid), wanted, { uid: true });
      return mail ? mail.source : undefined;
    } catch (error) {
      throw new OutsideError('a mail could not be read.', { cause: error });
    }
  }

  close(): void {
    this.#client.close();
  }
}

function openWords(
  error: unknown,
  host: string,
  { folder, mayIn }: { folder: string; mayIn: boolean },
): string {
  if (error instanceof OutsideError) return error.message;
  const { authenticationFailed, message = '' } = error as {
    authenticationFailed?: boolean;
    message?: string;
  };
  if (authenticationFailed)
    return `${host} does not let this user in with that password. Some providers need a password for apps, made in their settings.`;
  if (mayIn) return `there is no folder ${folder} in the mailbox.`;
  if (/greeting|unexpected|protocol/i.test(message)) return `${host} speaks no IMAP.`;
  return wordsOf(error, host);
}
