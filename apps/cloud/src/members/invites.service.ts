import type { Invitation, Invite, NewInvite } from '@albedo/contract/members/members.schema';
import { INVITE_DAYS } from '@albedo/contract/members/members.schema';
import { WORKGROUP_LIMITS } from '@albedo/contract/workgroups/limits';
import { demandGroups, demandMayGrant, withRead } from '../access/granting.ts';
import type { Manager } from '../access/manager.ts';
import type { Audit, AuditEntry } from '../audit/audit.service.ts';
import type { DeviceGroups } from '../device-groups/device-groups.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { Mail, Mailer } from '../mail/mail.service.ts';
import { hashOf, makeLinkToken } from '../secrets/link-token.ts';
import { demandGoodPassword } from '../secrets/password-rules.ts';
import { hashPassword } from '../secrets/passwords.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { Settings } from '../settings/settings.service.ts';
import type { TellList } from '../sockets/lists.ts';
import { activationMail, inviteMail } from './invites.mails.ts';
import type { InviteRow, InvitesStore, NewAccount, NewInviteRow, OpenInvite } from './invites.store.ts';
import type { MembersStore } from './members.store.ts';

const DAY_MS = 86_400_000;

export interface InvitesOptions {
  store: InvitesStore;
  members: MembersStore;
  sessions: Sessions;
  deviceGroups: Pick<DeviceGroups, 'demand' | 'nameOf'>;
  settings: Settings;
  mailer: Mailer;
  audit: Audit;
  tell: TellList;
  publicUrl: () => string;
  /** The identity provider that people of the workgroup can be invited with. */
  providerOf: (workgroup: string) => Promise<string | null>;
}

/** A person who accepts; an existing account needs nothing. */
export interface Acceptance {
  name?: string | undefined;
  password?: string | undefined;
}

/**
 * Invitations by e-mail.
 *
 * Whether an address has an account is told to nobody but the holder of the link, so every invitation is accepted by its
 * link, and only then somebody is a member.
 */
export class Invites {
  readonly #options: InvitesOptions;

  constructor(options: InvitesOptions) {
    this.#options = options;
  }

  async list(workgroup: string): Promise<Invite[]> {
    return (await this.#options.store.list(workgroup)).map(toInvite);
  }

  /**
   * A member may be invited to sign in with the identity provider from now on. Throws `invite.member_already`,
   * `invite.provider_unknown`, `invite.too_many`, and what `demandMayGrant` throws.
   */
  async create(workgroup: string, displayName: string, wanted: NewInvite, by: Manager): Promise<Invite> {
    const { email, role, devGroup, expiresInDays, idpId } = wanted;
    const permissions = withRead(wanted.permissions);
    demandMayGrant(by.scope, null, { role, permissions });
    demandGroups(by.scope, null, { role, devGroup });
    this.#options.deviceGroups.demand(workgroup, devGroup);
    const { store, members, providerOf } = this.#options;
    if (idpId !== null && (await providerOf(workgroup)) !== idpId)
      throw new AppError('invite.provider_unknown');
    const member = await members.findByEmail(workgroup, email);
    if (member && (idpId === null || member.hasSso)) {
      throw new AppError('invite.member_already', { email });
    }
    const { invites: count } = WORKGROUP_LIMITS;
    if ((await store.countOthers(workgroup, email)) >= count)
      throw new AppError('invite.too_many', { count });
    const row = await this.#send(
      { workgroup, email, name: '', role, permissions, devGroup, idpId, invitedBy: by.email },
      expiresInDays,
      displayName,
    );
    const group =
      devGroup === null ? '' : `, device group ${this.#options.deviceGroups.nameOf(workgroup, devGroup)}`;
    const newValue = `${role}: ${permissions.join(', ')}${group}`;
    this.#record(row, { action: 'create', newValue, by: by.email, address: by.address });
    return toInvite(row);
  }

  /** Mails whom the staff made a workgroup for a link to activate the account, as its owner. */
  async activate(
    workgroup: string,
    displayName: string,
    owner: { email: string; name: string },
  ): Promise<void> {
    const grant = { role: 'owner', permissions: withRead([]) } as const;
    await this.#send(
      { workgroup, ...owner, ...grant, devGroup: null, idpId: null, invitedBy: null },
      INVITE_DAYS.max,
      displayName,
    );
  }

  /** Throws `invite.not_found`, and what `demandMayGrant` throws: sending again is inviting again. */
  async resend(workgroup: string, displayName: string, id: string, by: Manager): Promise<Invite> {
    const { store, mailer } = this.#options;
    const old = await this.#invite(workgroup, id);
    demandMayGrant(by.scope, null, old);
    demandGroups(by.scope, null, old);
    this.#options.deviceGroups.demand(workgroup, old.devGroup);
    const { token, tokenHash } = makeLinkToken();
    const sentAt = new Date();
    const lifeMs = old.expiresAt.getTime() - old.sentAt.getTime();
    const expiresAt = new Date(sentAt.getTime() + lifeMs);
    const row = await store.renew(workgroup, id, { tokenHash, sentAt, expiresAt });
    if (!row) throw new AppError('invite.not_found');
    this.#tellLists(row);
    mailer.send(() => this.#mail(row, displayName, token));
    this.#record(row, { action: 'resend', by: by.email, address: by.address });
    return toInvite(row);
  }

  /** Throws `invite.not_found`, and what `demandMayGrant` and `demandGroups` throw: as with members. */
  async remove(workgroup: string, id: string, by: Manager): Promise<void> {
    const old = await this.#invite(workgroup, id);
    demandMayGrant(by.scope, old, null);
    demandGroups(by.scope, old, null);
    const row = await this.#options.store.remove(workgroup, id);
    if (!row) throw new AppError('invite.not_found');
    this.#tellLists(row);
    this.#record(row, { action: 'remove', by: by.email, address: by.address });
  }

  /** What a link leads to; `workgroup` is null for an activation. Throws `invite.invalid`. */
  async invitation(workgroup: string | null, token: string): Promise<Invitation> {
    const { invite, displayName, userId, hasPassword } = await this.#open(workgroup, token);
    return {
      email: invite.email,
      name: invite.name,
      orgName: invite.workgroup,
      orgDisplay: displayName,
      // One without a password was made by an identity provider; its holder sets one like somebody new.
      hasAccount: userId !== null && (hasPassword || invite.idpId !== null),
      usesSso: invite.idpId !== null,
      expiresAt: invite.expiresAt.getTime(),
    };
  }

  /**
   * Makes the account and the membership. An existing account keeps its name and password, and its sessions end, because
   * they know nothing of the new workgroup. Throws `invite.invalid`, `invite.incomplete`.
   */
  async accept(workgroup: string | null, token: string, person: Acceptance, address: string): Promise<void> {
    const { store, sessions } = this.#options;
    const { invite, userId, hasPassword } = await this.#open(workgroup, token);
    const isNew = userId === null || (!hasPassword && invite.idpId === null);
    const account = isNew ? await accountOf(invite, person) : null;
    const accepted = await store.accept(invite, account);
    if (accepted === null) throw new AppError('invite.invalid');
    if (userId !== null) await sessions.revokeUser(userId);
    this.#options.tell('members', invite.workgroup);
    this.#tellLists(invite);
    this.#record(invite, { action: 'accept', newValue: invite.role, by: invite.email, address });
  }

  async #open(workgroup: string | null, token: string): Promise<OpenInvite> {
    const open = await this.#options.store.open(hashOf(token), new Date());
    const isOfLink =
      workgroup === null ? open?.invite.invitedBy === null : open?.invite.workgroup === workgroup;
    if (!open || !isOfLink) throw new AppError('invite.invalid');
    return open;
  }

  async #invite(workgroup: string, id: string): Promise<InviteRow> {
    const row = await this.#options.store.find(workgroup, id);
    if (!row) throw new AppError('invite.not_found');
    return row;
  }

  async #send(
    invite: Omit<NewInviteRow, 'tokenHash' | 'sentAt' | 'expiresAt'>,
    days: number,
    displayName: string,
  ): Promise<InviteRow> {
    const { token, tokenHash } = makeLinkToken();
    const sentAt = new Date();
    const expiresAt = new Date(sentAt.getTime() + days * DAY_MS);
    const row = await this.#options.store.add({ ...invite, tokenHash, sentAt, expiresAt });
    this.#tellLists(row);
    this.#options.mailer.send(() => this.#mail(row, displayName, token));
    return row;
  }

  /** Groups count who is invited to them. */
  #tellLists({ workgroup, devGroup }: Pick<InviteRow, 'workgroup' | 'devGroup'>): void {
    const { tell } = this.#options;
    tell('invites', workgroup);
    if (devGroup !== null) tell('device-groups', workgroup, [devGroup]);
  }

  /** In the language of who invites; what the provider made is in that of who gets it. */
  async #mail(row: InviteRow, displayName: string, token: string): Promise<Mail> {
    const base = this.#options.publicUrl();
    const language = await this.#options.settings.languageOfAddress(row.invitedBy ?? row.email);
    const mail =
      row.invitedBy === null
        ? activationMail(row, displayName, language, `${base}/activate/${token}`)
        : inviteMail(row, displayName, language, `${base}/invitation/${row.workgroup}/${token}`);
    return { ...mail, workgroup: row.workgroup, kind: 'invitation' };
  }

  #record(
    { workgroup, email }: InviteRow,
    what: Pick<AuditEntry, 'action' | 'newValue' | 'by' | 'address'>,
  ): void {
    this.#options.audit.record({ workgroup, at: Date.now(), controller: 'invite', entity: email, ...what });
  }
}

async function accountOf(invite: InviteRow, { name, password }: Acceptance): Promise<NewAccount> {
  const called = name ?? invite.name;
  // The provider tells the name at the first sign-in.
  if (invite.idpId !== null) return { name: called || invite.email, passwordHash: null };
  if (!called || !password) throw new AppError('invite.incomplete');
  await demandGoodPassword(password, { name: called, email: invite.email });
  return { name: called, passwordHash: await hashPassword(password) };
}

const toInvite = ({ id, sentAt, expiresAt, ...row }: InviteRow): Invite => ({
  _id: id,
  email: row.email,
  role: row.role,
  permissions: row.permissions,
  devGroup: row.devGroup,
  idpId: row.idpId,
  invitedBy: row.invitedBy,
  sentAt: sentAt.getTime(),
  expiresAt: expiresAt.getTime(),
});
