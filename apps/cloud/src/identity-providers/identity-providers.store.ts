import type { ProviderName } from '@albedo/contract/identity-providers/identity-providers.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { together } from '@albedo/postgres/together';
import {
  and,
  count,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import {
  identityProviders,
  type SamlConfig,
  ssoFailures,
  userIdentities,
} from '../database/identity-providers.tables.ts';
import { invites } from '../database/members.tables.ts';
import { users } from '../database/sessions.tables.ts';
import { members, workgroups } from '../database/workgroups.tables.ts';

export type ProviderRow = typeof identityProviders.$inferSelect;
export type ProviderSet = Pick<
  ProviderRow,
  'kind' | 'name' | 'config' | 'secret' | 'changedAt' | 'refreshedAt' | 'refreshFailure'
>;

const NAME = { id: identityProviders.id, kind: identityProviders.kind, name: identityProviders.name };
const TITLED = { ...NAME, workgroup: workgroups.displayName };
/** Failed sign-ins that are kept for a provider. */
export const KEPT_FAILURES = 20;
export type TitledProvider = ProviderName & { workgroup: string };

/** Identity providers of workgroups, and who signs in with them, in SQL. */
export class IdentityProvidersStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** All that the task writes, through whichever stores, is kept together. */
  whole<T>(task: () => Promise<T>): Promise<T> {
    return together(this.#postgres, task);
  }

  async ofWorkgroup(workgroup: string): Promise<ProviderRow | undefined> {
    const { db } = this.#postgres;
    return (await db.select().from(identityProviders).where(eq(identityProviders.workgroup, workgroup)))[0];
  }

  async find(id: string): Promise<ProviderRow | undefined> {
    const { db } = this.#postgres;
    return (await db.select().from(identityProviders).where(eq(identityProviders.id, id)))[0];
  }

  async people(id: string): Promise<number> {
    const { db } = this.#postgres;
    const [row] = await db
      .select({ people: count() })
      .from(userIdentities)
      .where(eq(userIdentities.idpId, id));
    return row?.people ?? 0;
  }

  /**
   * Sets the provider, or removes it. One that vouches for people differently (`isOther`) begins with nobody: identities
   * of the old one mean nothing to it. Answers whose sessions have to end; null where somebody else changed the provider
   * from the `old` one meanwhile, and nothing is set.
   */
  async set(
    { workgroup, old: oldId, id }: { workgroup: string; old: string | null; id: string },
    set: ProviderSet | null,
    isOther: boolean,
  ): Promise<string[] | null> {
    return this.#postgres.db.transaction(async (transaction) => {
      // Whoever sets it at the same time waits here.
      await transaction
        .select({ name: workgroups.name })
        .from(workgroups)
        .where(eq(workgroups.name, workgroup))
        .for('update');
      const [now] = await transaction
        .select({ id: identityProviders.id })
        .from(identityProviders)
        .where(eq(identityProviders.workgroup, workgroup));
      if ((now?.id ?? null) !== oldId) return null;
      const old = await transaction
        .select({ userId: userIdentities.userId })
        .from(userIdentities)
        .innerJoin(identityProviders, eq(identityProviders.id, userIdentities.idpId))
        .where(eq(identityProviders.workgroup, workgroup));
      if (set === null || isOther) {
        await transaction.delete(identityProviders).where(eq(identityProviders.workgroup, workgroup));
        await transaction
          .update(invites)
          .set({ idpId: set === null ? null : id })
          .where(and(eq(invites.workgroup, workgroup), isNotNull(invites.idpId)));
      }
      if (set) {
        await transaction
          .insert(identityProviders)
          .values({ id, workgroup, ...set })
          .onConflictDoUpdate({ target: identityProviders.workgroup, set });
        // Whoever signed in with the old one signs in with the new one, from the first sign-in on.
        if (isOther && old.length > 0) {
          const linkedAt = new Date();
          await transaction
            .insert(userIdentities)
            .values(old.map(({ userId }) => ({ idpId: id, userId, subject: null, linkedAt })));
        }
      }
      await transaction
        .update(workgroups)
        .set({ idpId: set === null ? null : id })
        .where(eq(workgroups.name, workgroup));
      return set === null || isOther ? old.map(({ userId }) => userId) : [];
    });
  }

  /** Keeps what was read at the address of the metadata. */
  async refresh(id: string, config: SamlConfig, refreshedAt: Date): Promise<void> {
    await this.#postgres.db
      .update(identityProviders)
      .set({ config, refreshedAt, refreshFailure: null })
      .where(and(eq(identityProviders.id, id), hasAddress(config.metadataUrl)));
  }

  async refreshFailed(id: string, reason: string): Promise<void> {
    await this.#postgres.db
      .update(identityProviders)
      .set({ refreshFailure: reason.slice(0, 500) })
      .where(eq(identityProviders.id, id));
  }

  /**
   * Those whose metadata was read at an address before `olderThan`, but for those that any process tried since `notSince`.
   * They count as tried now.
   */
  async claimOld(now: Date, olderThan: Date, notSince: Date): Promise<ProviderRow[]> {
    const isOld = lt(identityProviders.refreshedAt, olderThan);
    return this.#claim(now, and(isOld, notTriedSince(notSince)));
  }

  /** The same for one; undefined where it was tried since. */
  async claimRefresh(id: string, now: Date, notSince: Date): Promise<ProviderRow | undefined> {
    return (await this.#claim(now, and(eq(identityProviders.id, id), notTriedSince(notSince))))[0];
  }

  #claim(now: Date, which: SQL | undefined): Promise<ProviderRow[]> {
    return this.#postgres.db
      .update(identityProviders)
      .set({ refreshTriedAt: now })
      .where(and(isNotNull(METADATA_URL), which))
      .returning();
  }

  async noteSignIn(id: string, at: Date): Promise<void> {
    await this.#postgres.db
      .update(identityProviders)
      .set({ lastSignInAt: at })
      .where(eq(identityProviders.id, id));
  }

  async noteFailure(idpId: string, at: Date, why: string): Promise<void> {
    const reason = why.slice(0, 500);
    await this.#postgres.db.transaction(async (transaction) => {
      await transaction
        .update(identityProviders)
        .set({ lastFailureAt: at, lastFailure: reason })
        .where(eq(identityProviders.id, idpId));
      await transaction.insert(ssoFailures).values({ idpId, at, reason });
      const isOf = eq(ssoFailures.idpId, idpId);
      const latest = transaction
        .select({ id: ssoFailures.id })
        .from(ssoFailures)
        .where(isOf)
        .orderBy(desc(ssoFailures.id))
        .limit(KEPT_FAILURES);
      await transaction.delete(ssoFailures).where(and(isOf, notInArray(ssoFailures.id, latest)));
    });
  }

  /** The latest sign-ins that failed, the last one first. */
  async failures(idpId: string): Promise<{ at: Date; reason: string }[]> {
    return this.#postgres.db
      .select({ at: ssoFailures.at, reason: ssoFailures.reason })
      .from(ssoFailures)
      .where(eq(ssoFailures.idpId, idpId))
      .orderBy(desc(ssoFailures.id));
  }

  /** What is known in the workgroup of somebody whom its provider named and who does not get in. */
  async standing(
    { id, workgroup }: Pick<ProviderRow, 'id' | 'workgroup'>,
    emails: string[],
  ): Promise<{ invite: { idpId: string | null; expiresAt: Date } | null; account: Standing | null }> {
    const { db } = this.#postgres;
    const [[invite], [account]] = await Promise.all([
      db
        .select({ idpId: invites.idpId, expiresAt: invites.expiresAt })
        .from(invites)
        .where(and(eq(invites.workgroup, workgroup), inArray(invites.email, emails))),
      db
        .select({
          isMember: sql<boolean>`${members.userId} is not null`,
          isLinked: sql<boolean>`${userIdentities.subject} is not null`,
        })
        .from(users)
        .leftJoin(members, and(eq(members.userId, users.id), eq(members.workgroup, workgroup)))
        .leftJoin(userIdentities, and(eq(userIdentities.userId, users.id), eq(userIdentities.idpId, id)))
        .where(inArray(users.email, emails)),
    ]);
    return { invite: invite ?? null, account: account ?? null };
  }

  /**
   * The providers of an address: those that its account signs in with, that of the default workgroup before others;
   * without any, those that it is invited with, the latest invitation first.
   */
  async ofEmail(email: string, now: Date): Promise<TitledProvider[]> {
    const { db } = this.#postgres;
    const linked = await db
      .select(TITLED)
      .from(userIdentities)
      .innerJoin(users, eq(users.id, userIdentities.userId))
      .innerJoin(identityProviders, eq(identityProviders.id, userIdentities.idpId))
      .innerJoin(workgroups, eq(workgroups.name, identityProviders.workgroup))
      .innerJoin(members, and(eq(members.workgroup, workgroups.name), eq(members.userId, users.id)))
      .where(eq(users.email, email))
      .orderBy(sql`${users.defaultWorkgroup} is distinct from ${workgroups.name}`, identityProviders.name);
    if (linked.length > 0) return linked;
    return db
      .select(TITLED)
      .from(invites)
      .innerJoin(identityProviders, openInvite(now))
      .innerJoin(workgroups, eq(workgroups.name, identityProviders.workgroup))
      .where(eq(invites.email, email))
      .orderBy(desc(invites.sentAt));
  }

  /** The providers that call themselves so in SAML; the same directory may serve several workgroups. */
  async ofEntity(entityId: string): Promise<{ id: string; workgroup: string }[]> {
    const { id, workgroup } = identityProviders;
    return this.#postgres.db
      .select({ id, workgroup })
      .from(identityProviders)
      .where(
        and(eq(identityProviders.kind, 'saml'), eq(sql`${identityProviders.config}->>'entityId'`, entityId)),
      );
  }

  /** The user that the provider knows by this name. */
  async userBySubject(idpId: string, subject: string): Promise<string | undefined> {
    const where = and(eq(userIdentities.idpId, idpId), eq(userIdentities.subject, subject));
    const { db } = this.#postgres;
    return (await db.select({ userId: userIdentities.userId }).from(userIdentities).where(where))[0]?.userId;
  }

  /** The first sign-in of somebody who agreed to the provider: from now on the name counts, not the address. */
  async claim(idpId: string, email: string, subject: string): Promise<string | undefined> {
    return this.#postgres.db.transaction(async (transaction) => {
      const [waiting] = await transaction
        .select({ userId: userIdentities.userId })
        .from(userIdentities)
        .innerJoin(users, eq(users.id, userIdentities.userId))
        .where(and(eq(userIdentities.idpId, idpId), isNull(userIdentities.subject), eq(users.email, email)))
        .for('update', { of: userIdentities });
      if (!waiting) return undefined;
      await transaction
        .update(userIdentities)
        .set({ subject })
        .where(and(eq(userIdentities.idpId, idpId), eq(userIdentities.userId, waiting.userId)));
      return waiting.userId;
    });
  }

  /**
   * Makes the account of somebody who was invited with the provider and has none. Undefined without such an invitation,
   * or where the address has an account: that one has to agree by the link of the invitation.
   */
  async register(
    provider: Pick<ProviderRow, 'id' | 'workgroup'>,
    person: { email: string; subject: string; name: string },
    now: Date,
  ): Promise<string | undefined> {
    const { email, subject, name } = person;
    return this.#postgres.db.transaction(async (transaction) => {
      const [invite] = await transaction
        .select()
        .from(invites)
        .where(
          and(
            eq(invites.workgroup, provider.workgroup),
            eq(invites.idpId, provider.id),
            eq(invites.email, email),
            gt(invites.expiresAt, now),
          ),
        )
        .for('update');
      if (!invite) return undefined;
      const [user] = await transaction
        .insert(users)
        .values({ email, name, passwordHash: null, defaultWorkgroup: provider.workgroup })
        .onConflictDoNothing()
        .returning({ id: users.id });
      if (!user) return undefined;
      const { workgroup, role, permissions, devGroup } = invite;
      await transaction.delete(invites).where(eq(invites.id, invite.id));
      await transaction.insert(members).values({ workgroup, userId: user.id, role, permissions, devGroup });
      await transaction
        .insert(userIdentities)
        .values({ idpId: provider.id, userId: user.id, subject, linkedAt: now });
      return user.id;
    });
  }

  /** Whoever was removed keeps the identity of others, and gets in nowhere. */
  async isMember(workgroup: string, userId: string): Promise<boolean> {
    const where = and(eq(members.workgroup, workgroup), eq(members.userId, userId));
    const rows = await this.#postgres.db.select({ userId: members.userId }).from(members).where(where);
    return rows.length > 0;
  }

  /** Takes the provider's word for the name of somebody who has no other one yet. */
  async nameIfNone(userId: string, email: string, name: string): Promise<void> {
    await this.#postgres.db
      .update(users)
      .set({ name })
      .where(and(eq(users.id, userId), eq(users.name, email)));
  }
}

interface Standing {
  isMember: boolean;
  /** The provider has named the account before, by another name. */
  isLinked: boolean;
}

const METADATA_URL = sql`${identityProviders.config}->>'metadataUrl'`;
const hasAddress = (metadataUrl: string | null) => sql`${METADATA_URL} = ${metadataUrl}`;
const notTriedSince = (instant: Date) =>
  or(isNull(identityProviders.refreshTriedAt), lt(identityProviders.refreshTriedAt, instant));

const openInvite = (now: Date) =>
  and(
    eq(identityProviders.workgroup, invites.workgroup),
    // The column of invitations is text.
    sql`${invites.idpId} = ${identityProviders.id}::text`,
    gt(invites.expiresAt, now),
  );
