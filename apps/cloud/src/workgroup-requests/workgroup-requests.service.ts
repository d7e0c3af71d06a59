import type {
  StoredRequest,
  WorkgroupRequest,
} from '@albedo/contract/workgroup-requests/workgroup-requests.schema';
import type { Actor } from '../access/actor.ts';
import type { Accounts } from '../accounts/accounts.service.ts';
import type { Attempts } from '../attempts/attempts.ts';
import { type Audit, type AuditEntry, PROVIDER_LOG } from '../audit/audit.service.ts';
import type { Config } from '../config/config.ts';
import { AppError } from '../errors/app-error.ts';
import { networkOf } from '../http/client-network.ts';
import type { Mail, Mailer } from '../mail/mail.service.ts';
import type { Invites } from '../members/invites.service.ts';
import type { TellList } from '../sockets/lists.ts';
import type { Staff } from '../users/staff.ts';
import type { NewWorkgroup } from '../workgroups/workgroups.service.ts';
import type { RequestRow, WorkgroupRequestsStore } from './workgroup-requests.store.ts';

const HOUR_MS = 60 * 60_000;
/** Requests from one client address, and mails of requests to the staff, in an hour. */
export const REQUESTS_AN_HOUR = { address: 10, mailed: 30 } as const;
const ASKED = { name: 'workgroup asked', limit: REQUESTS_AN_HOUR.address, windowMs: HOUR_MS };
const MAILED = { name: 'workgroup request mailed', limit: REQUESTS_AN_HOUR.mailed, windowMs: HOUR_MS };
/** Requests that wait for a decision; more than that are no requests. */
export const OPEN_REQUESTS = 1000;

export interface WorkgroupRequestsOptions {
  store: WorkgroupRequestsStore;
  accounts: Accounts;
  invites: Invites;
  mailer: Mailer;
  audit: Audit;
  attempts: Attempts;
  staff: Staff;
  tell: TellList;
  publicUrl: () => string;
  /** Whether new workgroups demand a second factor where nobody says. */
  config: Pick<Config, 'workgroupMfa'>;
}

/** Requests for workgroups: people without an account send them, the staff decides. */
export class WorkgroupRequests {
  readonly #options: WorkgroupRequestsOptions;

  constructor(options: WorkgroupRequestsOptions) {
    this.#options = options;
  }

  /**
   * The staff is mailed once while a request is open, however often it is sent, and not of every one where there are
   * many: the list has them all. Throws `account.email_taken`, `request.too_many`.
   */
  async submit(request: WorkgroupRequest, address: string): Promise<void> {
    const { store, accounts, mailer, attempts, staff, publicUrl } = this.#options;
    await attempts.take([ASKED, networkOf(address)]);
    await accounts.demandAvailable(request.email);
    if ((await store.countOpen()) >= OPEN_REQUESTS) throw new AppError('request.too_many');
    if (!(await store.add(request))) return;
    this.#options.tell('workgroup-requests', null);
    // Anybody can write anybody's address into a request, so it does not tell who sent it.
    this.#record(request, { email: null, address }, { action: 'create', newValue: request.company });
    if ((await attempts.count([MAILED, 'all'])) > 0) return;
    for (const to of await staff.addresses()) mailer.send(requestMail(to, request, publicUrl()));
  }

  async list(): Promise<StoredRequest[]> {
    return (await this.#options.store.list()).map(toStored);
  }

  /** Throws `request.not_found`, `request.decided`, `workgroup.name_taken`, `workgroup.name_gone`. */
  async accept(id: string, workgroup: NewWorkgroup, by: Actor): Promise<StoredRequest> {
    const { store, invites, audit, config } = this.#options;
    const { mfaRequired = config.workgroupMfa } = workgroup;
    const row = await store.accept(id, { ...workgroup, mfaRequired }, by.email);
    if (!row) throw await this.#refusal(id);
    this.#options.tell('workgroup-requests', null);
    this.#options.tell('workgroups', null);
    const { email, name } = row.request;
    await invites.activate(workgroup.name, workgroup.displayName, { email, name });
    audit.record({
      workgroup: workgroup.name,
      at: Date.now(),
      controller: 'workgroup',
      entity: workgroup.name,
      action: 'create',
      newValue: `for ${email}`,
      by: by.email,
      address: by.address,
    });
    this.#record(row.request, by, { action: 'accept', newValue: workgroup.name });
    return toStored(row);
  }

  /** Throws `request.not_found`, `request.decided`. */
  async reject(id: string, by: Actor): Promise<StoredRequest> {
    const row = await this.#options.store.reject(id, by.email);
    if (!row) throw await this.#refusal(id);
    this.#options.tell('workgroup-requests', null);
    this.#record(row.request, by, { action: 'reject' });
    return toStored(row);
  }

  #record(
    { email: entity }: WorkgroupRequest,
    { email, address }: { email: string | null; address: string },
    what: Pick<AuditEntry, 'action' | 'newValue'>,
  ): void {
    const entry = { workgroup: PROVIDER_LOG, at: Date.now(), controller: 'workgroup_request', entity };
    this.#options.audit.record({ ...entry, by: email, address, ...what });
  }

  async #refusal(id: string): Promise<AppError> {
    return new AppError((await this.#options.store.exists(id)) ? 'request.decided' : 'request.not_found');
  }
}

const requestMail = (to: string, request: WorkgroupRequest, publicUrl: string): Mail => ({
  to,
  subject: `Workgroup request from ${request.company}`,
  paragraphs: [`${request.name}, ${request.title} at ${request.company}, is requesting a workgroup.`],
  quote: request.description,
  facts: [
    ['Email', request.email],
    ['Phone', request.phone],
    ['Website', `https://${request.website}`],
    ['Country', request.country],
  ],
  action: { text: 'Review request', url: `${publicUrl}/opsteam?tab=requests` },
});

const toStored = (row: RequestRow): StoredRequest => ({
  ...row.request,
  _id: row.id,
  status: row.status,
  requestedAt: row.requestedAt.getTime(),
  decidedAt: row.decidedAt?.getTime() ?? null,
  decidedBy: row.decidedBy,
  workgroup: row.workgroup,
});
