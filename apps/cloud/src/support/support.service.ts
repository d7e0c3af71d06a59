import type { Readable } from 'node:stream';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { StoredTicket, supportTicket, TicketChange } from '@albedo/contract/support/support.schema';
import type { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import { type Audit, PROVIDER_LOG } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { FileStore } from '../files/files.store.ts';
import type { ReceivedFile } from '../http/receive-form.ts';
import type { Mailer } from '../mail/mail.service.ts';
import type { Settings } from '../settings/settings.service.ts';
import type { TellList } from '../sockets/lists.ts';
import type { Staff } from '../users/staff.ts';
import { ticketCopyMail, ticketMail } from './support.mails.ts';
import type { SupportStore, Ticket } from './support.store.ts';

export interface SupportOptions {
  store: SupportStore;
  files: FileStore;
  mailer: Mailer;
  settings: Settings;
  audit: Audit;
  /** Who is mailed of tickets; null: the staff, or the owner while nobody of the staff has an account. */
  supportEmail: string | null;
  staff: Staff;
  tell: TellList;
  publicUrl: () => string;
}

/** Support tickets: signed-in people write them, the provider's staff answers them. */
export class Support {
  readonly #options: SupportOptions;

  constructor(options: SupportOptions) {
    this.#options = options;
  }

  /**
   * Keeps the ticket and mails it; `id` is the one its files lie under. The copy goes to the address of the account
   * and never to the one in the form, or anybody could have mails sent to strangers.
   *
   * Throws `workgroup.not_found` for a workgroup that is not the user's.
   */
  async create(
    id: string,
    fields: z.output<typeof supportTicket>,
    files: ReceivedFile[],
    by: { session: SessionClaims; address: string },
  ): Promise<{ taskId: string }> {
    const { store, mailer, settings, audit, publicUrl } = this.#options;
    const { workgroupId, ...texts } = fields;
    const { _id: userId, email: accountEmail, memberOf } = by.session;
    if (workgroupId !== undefined && !memberOf.includes(workgroupId)) {
      throw new AppError('workgroup.not_found', { name: workgroupId });
    }
    const ticket = await store.add(
      { ...texts, id, userId, accountEmail, workgroup: workgroupId ?? null },
      files.map(({ id, key, name, type, size }) => ({ id, key, name, type, size })),
    );
    this.#options.tell('tickets', null);
    audit.record({
      workgroup: workgroupId ?? PROVIDER_LOG,
      at: Date.now(),
      controller: 'support',
      entity: `ticket ${ticket.number}`,
      action: 'create',
      newValue: ticket.subject,
      by: accountEmail,
      address: by.address,
    });
    for (const to of await this.#answerers()) mailer.send(ticketMail(to, ticket, publicUrl()));
    mailer.send(async () => ticketCopyMail(ticket, await settings.languageOf(userId)));
    return { taskId: String(ticket.number) };
  }

  async list(): Promise<StoredTicket[]> {
    return (await this.#options.store.list()).map(toStored);
  }

  /** Throws `ticket.not_found`. */
  async update(id: string, { status, assign }: TicketChange, by: Actor): Promise<StoredTicket> {
    const { store } = this.#options;
    const old = await this.#get(id);
    if (status === 'closed') await store.close(id, by.email);
    if (status === 'open') await store.reopen(id);
    if (assign !== undefined) await store.assign(id, assign ? by.email : null);
    const ticket = await this.#get(id);
    this.#options.tell('tickets', null);
    this.#recordChange(old, ticket, by);
    return toStored(ticket);
  }

  /** Throws `ticket.not_found`, `file.not_found`. */
  async file(ticketId: string, fileId: string): Promise<{ name: string; bytes: Readable }> {
    const { files } = await this.#get(ticketId);
    const file = files.find(({ id }) => id === fileId);
    const bytes = file && (await this.#options.files.get(file.key));
    if (!bytes) throw new AppError('file.not_found');
    return { name: file.name, bytes };
  }

  async #get(id: string): Promise<Ticket> {
    const ticket = await this.#options.store.get(id);
    if (!ticket) throw new AppError('ticket.not_found');
    return ticket;
  }

  async #answerers(): Promise<string[]> {
    const { supportEmail, staff } = this.#options;
    return supportEmail === null ? staff.addresses() : [supportEmail];
  }

  #recordChange(old: Ticket, ticket: Ticket, { email, address }: Actor): void {
    const seen = [
      ['status', statusOf(old), statusOf(ticket)],
      ['assignee', old.assignee, ticket.assignee],
    ] as const;
    for (const [attribute, oldValue, newValue] of seen) {
      if (oldValue === newValue) continue;
      this.#options.audit.record({
        workgroup: PROVIDER_LOG,
        at: Date.now(),
        controller: 'support',
        entity: `ticket ${ticket.number}`,
        action: 'update',
        attribute,
        oldValue,
        newValue,
        by: email,
        address,
      });
    }
  }
}

const statusOf = ({ closedAt }: Ticket): 'open' | 'closed' => (closedAt === null ? 'open' : 'closed');

const toStored = (ticket: Ticket): StoredTicket => ({
  _id: ticket.id,
  taskId: String(ticket.number),
  name: ticket.name,
  email: ticket.email,
  accountEmail: ticket.accountEmail,
  url: ticket.url,
  workgroupId: ticket.workgroup,
  subject: ticket.subject,
  body: ticket.body,
  files: ticket.files.map(({ id, name, type, size }) => ({ _id: id, name, type, size })),
  status: statusOf(ticket),
  assignee: ticket.assignee,
  createdAt: ticket.createdAt.getTime(),
  closedAt: ticket.closedAt?.getTime() ?? null,
  closedBy: ticket.closedBy,
});
