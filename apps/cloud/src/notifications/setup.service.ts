import { randomUUID } from 'node:crypto';
import type { AlertNotify } from '@albedo/contract/alerts/alerts.schema';
import {
  type Channel,
  type ChannelTest,
  type Delivery,
  type Escalation,
  type Heartbeat,
  type NewChannel,
  type NewEscalation,
  type NewHeartbeat,
  type NewRota,
  NOTIFY_LIMITS,
  type Notifiable,
  type Rota,
  type SavedChannel,
} from '@albedo/contract/notifications/notifications.schema';
import type { Actor } from '../access/actor.ts';
import type { Audit } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import { invalid } from '../errors/request-issues.ts';
import type { Mailer } from '../mail/mail.service.ts';
import type { Members } from '../members/members.service.ts';
import { OUTBOUND_AN_HOUR, type OutboundQuota } from '../outbound/outbound.quota.ts';
import { OutsideError, type OutsideFetch } from '../outbound/outside-fetch.ts';
import { demandWebhookAddress } from '../outbound/webhook-address.ts';
import { newSigningSecret } from '../outbound/webhook-calls.ts';
import type { Seal } from '../secrets/sealed.ts';
import type { Settings } from '../settings/settings.service.ts';
import type { TellList } from '../sockets/lists.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { type Deliveries, ownerOf } from './deliveries.service.ts';
import { testMail } from './notifications.mails.ts';
import { type Span, spansOf } from './rota.ts';
import type {
  ChannelRow,
  EscalationRow,
  HeartbeatRow,
  RotaRow,
  SetupStore,
  SetupTable,
} from './setup.store.ts';
import type { ToldStore } from './told.store.ts';

/** Four weeks of shifts are shown. */
const SHOWN_MS = 28 * 86_400_000;
const DELIVERIES = 100;

const LIST = { channels: 'notify-channels', escalations: 'escalations', rotas: 'rotas' } as const;
const ERROR = { channels: 'notify_channel', escalations: 'escalation', rotas: 'rota' } as const;
const MOST = {
  channels: NOTIFY_LIMITS.channels,
  escalations: NOTIFY_LIMITS.escalations,
  rotas: NOTIFY_LIMITS.rotas,
} as const;

export interface SetupOptions {
  setup: SetupStore;
  store: Pick<ToldStore, 'lastDeliveries'>;
  deliveries: Deliveries;
  mailer: Pick<Mailer, 'send'>;
  members: Pick<Members, 'list'>;
  settings: Pick<Settings, 'languageOfAddress'>;
  workgroups: Pick<Workgroups, 'get'>;
  gate: Pick<OutsideFetch, 'fetch' | 'demandOpen'>;
  quota: OutboundQuota;
  seal: Seal;
  audit: Audit;
  tell: TellList;
  publicUrl: () => string;
  now: () => number;
}

/** The name of what another feature has that uses a channel or an escalation; null where nothing does. */
export type UserOf = (
  workgroup: string,
  part: 'channels' | 'escalations',
  id: string,
) => Promise<string | null>;

/** Channels, escalations, rotas and the heartbeat of a workgroup, as people set them up. */
export class NotificationSetup {
  readonly #options: SetupOptions;
  readonly #users: UserOf[] = [];

  constructor(options: SetupOptions) {
    this.#options = options;
  }

  /** Has another feature say what of it uses a channel or an escalation, which stays as long as it does. */
  addUser(user: UserOf): void {
    this.#users.push(user);
  }

  async channels(workgroup: string): Promise<Channel[]> {
    return (await this.#options.setup.list('channels', workgroup)).map(channelOf);
  }

  /** Throws `notify_channel.too_many`, `notify_channel.name_taken`, `issue.webhook_part`, `issue.webhook_refused`. */
  async createChannel(workgroup: string, wanted: NewChannel, by: Actor): Promise<SavedChannel> {
    const id = randomUUID();
    this.#demandGood(wanted, null);
    if (wanted.kind === 'webhook' && wanted.address !== undefined)
      await demandWebhookAddress(this.#options.gate, wanted.address);
    const { values, secret } = this.#valuesOf(id, wanted, null);
    const row = await this.#add('channels', workgroup, { id, ...values });
    this.#record('channels', row, by, 'create', channelText(row));
    return { ...channelOf(row), secret };
  }

  /** Throws `notify_channel.not_found`, and what `createChannel` throws. */
  async updateChannel(workgroup: string, id: string, wanted: NewChannel, by: Actor): Promise<SavedChannel> {
    if (wanted.kind === 'webhook' && wanted.address !== undefined)
      await demandWebhookAddress(this.#options.gate, wanted.address);
    return this.#options.setup.alone(workgroup, id, () => this.#updateChannel(workgroup, id, wanted, by));
  }

  async #updateChannel(workgroup: string, id: string, wanted: NewChannel, by: Actor): Promise<SavedChannel> {
    const before = await this.#row('channels', workgroup, id);
    this.#demandGood(wanted, before);
    const { values, secret } = this.#valuesOf(id, wanted, before);
    const isOnAgain = wanted.enabled && !before.isEnabled;
    // How long another address failed says nothing of this one.
    const isFresh = isOnAgain || (wanted.kind === 'webhook' && wanted.address !== undefined);
    const row = await this.#set('channels', workgroup, id, {
      ...values,
      ...(isFresh ? { failingSince: null, isReported: false, lastError: null } : {}),
      ...(isOnAgain ? { offReason: null } : {}),
    });
    this.#record('channels', row, by, 'update', channelText(row), channelText(before));
    return { ...channelOf(row), secret };
  }

  /** Throws `notify_channel.in_use`. */
  async removeChannel(workgroup: string, id: string, by: Actor): Promise<void> {
    await this.#demandUnused(workgroup, 'channels', id);
    await this.#demandUnnamed(workgroup, 'channels', id);
    await this.#remove('channels', workgroup, id, by);
  }

  /** Throws `notify_channel.not_found`, `notify_channel.busy`. */
  async testChannel(workgroup: string, id: string, by: Actor): Promise<ChannelTest> {
    const { deliveries, mailer, settings, workgroups, publicUrl } = this.#options;
    const row = await this.#row('channels', workgroup, id);
    this.#record('channels', row, by, 'test', '');
    if (row.kind === 'webhook') return deliveries.test(row, randomUUID());
    const { displayName } = await workgroups.get(workgroup);
    for (const to of row.emails)
      mailer.send(async () => ({
        ...testMail({
          to,
          language: await settings.languageOfAddress(to),
          zone: 'UTC',
          workgroup: displayName,
          publicUrl: publicUrl(),
        }),
        workgroup,
        kind: 'test',
      }));
    return { ok: true, status: null, error: null };
  }

  async people(workgroup: string): Promise<Notifiable[]> {
    const people = await this.#options.members.list(workgroup);
    return people.map(({ userId, name, devGroup }) => ({ _id: userId, name, isBound: devGroup !== null }));
  }

  async deliveries(workgroup: string): Promise<Delivery[]> {
    const rows = await this.#options.store.lastDeliveries(workgroup, DELIVERIES);
    return rows.map(({ id, name, incident, what, createdAt, state, attempts, error, endedAt }) => ({
      id,
      channel: name,
      incident,
      what,
      createdAt: createdAt.getTime(),
      state,
      attempts,
      error,
      endedAt: endedAt?.getTime() ?? null,
    }));
  }

  async escalations(workgroup: string): Promise<Escalation[]> {
    return (await this.#options.setup.list('escalations', workgroup)).map(escalationOf);
  }

  /** Throws `escalation.too_many`, `escalation.name_taken`, and an issue for whom or what there is not. */
  async createEscalation(workgroup: string, wanted: NewEscalation, by: Actor): Promise<Escalation> {
    await this.#demandSteps(workgroup, wanted);
    const row = await this.#add('escalations', workgroup, wanted);
    this.#record('escalations', row, by, 'create', JSON.stringify(escalationOf(row)));
    return escalationOf(row);
  }

  /** Throws `escalation.not_found`, and what `createEscalation` throws. */
  async updateEscalation(
    workgroup: string,
    id: string,
    wanted: NewEscalation,
    by: Actor,
  ): Promise<Escalation> {
    const before = await this.#row('escalations', workgroup, id);
    await this.#demandSteps(workgroup, wanted);
    const row = await this.#set('escalations', workgroup, id, wanted);
    this.#record(
      'escalations',
      row,
      by,
      'update',
      JSON.stringify(escalationOf(row)),
      JSON.stringify(escalationOf(before)),
    );
    return escalationOf(row);
  }

  /** Throws `escalation.in_use`. */
  async removeEscalation(workgroup: string, id: string, by: Actor): Promise<void> {
    await this.#demandUnnamed(workgroup, 'escalations', id);
    await this.#remove('escalations', workgroup, id, by);
  }

  async rotas(workgroup: string): Promise<Rota[]> {
    const [rows, names] = await Promise.all([
      this.#options.setup.list('rotas', workgroup),
      this.#names(workgroup),
    ]);
    return rows.map((row) => this.#rotaOf(row, names));
  }

  /** Throws `rota.too_many`, `rota.name_taken`, and an issue for people that there are not. */
  async createRota(workgroup: string, wanted: NewRota, by: Actor): Promise<Rota> {
    const names = await this.#demandMembers(workgroup, wanted);
    const row = await this.#add('rotas', workgroup, wanted);
    this.#record('rotas', row, by, 'create', rotaText(row));
    return this.#rotaOf(row, names);
  }

  /** Throws `rota.not_found`, and what `createRota` throws. */
  async updateRota(workgroup: string, id: string, wanted: NewRota, by: Actor): Promise<Rota> {
    const before = await this.#row('rotas', workgroup, id);
    const names = await this.#demandMembers(workgroup, wanted);
    const row = await this.#set('rotas', workgroup, id, wanted);
    this.#record('rotas', row, by, 'update', rotaText(row), rotaText(before));
    return this.#rotaOf(row, names);
  }

  /** Throws `rota.in_use`. */
  async removeRota(workgroup: string, id: string, by: Actor): Promise<void> {
    await this.#demandUnused(workgroup, 'rotas', id);
    await this.#remove('rotas', workgroup, id, by);
  }

  async heartbeat(workgroup: string): Promise<Heartbeat> {
    return heartbeatOf(await this.#options.setup.heartbeat(workgroup));
  }

  /** Throws `issue.webhook_part`, `issue.webhook_refused`. */
  async setHeartbeat(workgroup: string, wanted: NewHeartbeat, by: Actor): Promise<Heartbeat> {
    const { setup, seal, audit, now } = this.#options;
    const { enabled, everyMinutes, address } = wanted;
    const before = await setup.heartbeat(workgroup);
    if (enabled && address === undefined && !before?.address)
      throw invalid('issue.webhook_part', {}, 'address');
    if (address !== undefined) await demandWebhookAddress(this.#options.gate, address);
    const row = await setup.setHeartbeat(workgroup, {
      isEnabled: enabled,
      everyMinutes,
      nextAt: new Date(now()),
      ...(address === undefined
        ? {}
        : {
            address: seal.close(address, `notify-heartbeat:${workgroup}`),
            host: new URL(address).host,
            lastError: null,
          }),
    });
    const textOf = (of: HeartbeatRow | undefined) =>
      of ? JSON.stringify({ enabled: of.isEnabled, everyMinutes: of.everyMinutes, host: of.host }) : '';
    audit.record({
      workgroup,
      at: now(),
      controller: 'notifications',
      entity: 'heartbeat',
      action: 'update',
      oldValue: textOf(before),
      newValue: textOf(row),
      by: by.email,
      address: by.address,
    });
    return heartbeatOf(row);
  }

  /** Calls the addresses whose turn it is. */
  async beat(): Promise<void> {
    const { setup, now } = this.#options;
    const due = await setup.takeHeartbeats(new Date(now()));
    for (const { workgroup } of due) await this.#beat(workgroup);
  }

  async #beat(workgroup: string): Promise<void> {
    const { setup, gate, quota, seal, now } = this.#options;
    const row = await setup.heartbeat(workgroup);
    if (!row?.address) return;
    let error: string | null = null;
    if (!quota.take(workgroup, now())) error = `It was called ${OUTBOUND_AN_HOUR} times in the last hour.`;
    else
      try {
        const response = await gate.fetch(seal.open(row.address, `notify-heartbeat:${workgroup}`));
        await response.body?.cancel();
        if (!response.ok) error = `It answered with status ${response.status}.`;
      } catch (cause) {
        if (!(cause instanceof OutsideError)) throw cause;
        error = cause.message;
      }
    await setup.noteHeartbeat(workgroup, { at: new Date(now()), error });
  }

  #demandGood(wanted: NewChannel, before: ChannelRow | null): void {
    if (wanted.kind !== 'webhook') return;
    const { address, template, token, phones } = wanted;
    const hasAddress = address !== undefined || Boolean(before?.address);
    const hasToken = token === undefined ? Boolean(before?.token) : token !== null;
    if (!hasAddress) throw invalid('issue.webhook_part', {}, 'address');
    if (template === 'pagerduty' && !hasToken) throw invalid('issue.webhook_part', {}, 'token');
    if (template === 'sms' && phones.length === 0) throw invalid('issue.webhook_part', {}, 'phones');
    // What was typed for one machine is not sent to another one.
    const isElsewhere =
      address !== undefined && before?.host != null && new URL(address).host !== before.host;
    if (isElsewhere && before?.token && token === undefined) throw invalid('issue.secret_again', {}, 'token');
  }

  #valuesOf(id: string, wanted: NewChannel, before: ChannelRow | null) {
    const { seal } = this.#options;
    const sealed = (part: string, value: string) => seal.close(value, ownerOf(id, part));
    const { name, enabled: isEnabled } = wanted;
    if (wanted.kind === 'email') {
      const none = { template: null, address: null, host: null, token: null, secret: null, phones: [] };
      const { kind, emails } = wanted;
      return { values: { name, isEnabled, kind, emails, ...none }, secret: null };
    }
    const { kind, template, address, token, phones, renewSecret } = wanted;
    const secret = renewSecret || !before?.secret ? newSigningSecret() : null;
    return {
      values: {
        name,
        isEnabled,
        kind,
        emails: [],
        template,
        phones,
        ...(address === undefined
          ? {}
          : { address: sealed('address', address), host: new URL(address).host }),
        ...(token === undefined ? {} : { token: token === null ? null : sealed('token', token) }),
        ...(secret === null ? {} : { secret: sealed('secret', secret) }),
      },
      secret,
    };
  }

  /** What an alert names has to be there. Throws an issue for the first that is not. */
  async demandTargets(
    workgroup: string,
    { channels, escalation }: Pick<AlertNotify, 'channels' | 'escalation'>,
  ): Promise<void> {
    const { setup } = this.#options;
    if (channels.length > 0) {
      const known = new Set((await setup.list('channels', workgroup)).map(({ id }) => id));
      const gone = channels.findIndex((id) => !known.has(id));
      if (gone >= 0) throw invalid('issue.notify_channel', {}, `notify.channels.${gone}`);
    }
    if (escalation !== null && !(await setup.find('escalations', workgroup, escalation)))
      throw invalid('issue.notify_escalation', {}, 'notify.escalation');
  }

  async #demandSteps(workgroup: string, { steps }: NewEscalation): Promise<void> {
    const { setup } = this.#options;
    const [names, channels, rotas] = await Promise.all([
      this.#names(workgroup),
      setup.list('channels', workgroup),
      setup.list('rotas', workgroup),
    ]);
    const known = {
      users: names,
      channels: new Set(channels.map(({ id }) => id)),
      rotas: new Set(rotas.map(({ id }) => id)),
    };
    const issues = {
      users: 'issue.notify_user',
      channels: 'issue.notify_channel',
      rotas: 'issue.notify_rota',
    } as const;
    for (const [at, step] of steps.entries())
      for (const part of ['users', 'channels', 'rotas'] as const)
        if (step[part].some((id) => !known[part].has(id)))
          throw invalid(issues[part], {}, `steps.${at}.${part}`);
  }

  async #demandMembers(workgroup: string, { members, overrides }: NewRota): Promise<Map<string, string>> {
    const names = await this.#names(workgroup);
    if (members.some((user) => !names.has(user))) throw invalid('issue.notify_user', {}, 'members');
    const stranger = overrides.findIndex(({ user }) => user !== null && !names.has(user));
    if (stranger >= 0) throw invalid('issue.notify_user', {}, `overrides.${stranger}.user`);
    return names;
  }

  async #names(workgroup: string): Promise<Map<string, string>> {
    const people = await this.#options.members.list(workgroup);
    return new Map(people.map(({ userId, name }) => [userId, name]));
  }

  async #demandUnused(workgroup: string, part: 'channels' | 'rotas', id: string): Promise<void> {
    const all = await this.#options.setup.list('escalations', workgroup);
    const user = all.find(({ steps }) => steps.some((step) => step[part].includes(id)));
    if (user) throw new AppError(`${ERROR[part]}.in_use`, { name: user.name });
  }

  async #demandUnnamed(workgroup: string, part: 'channels' | 'escalations', id: string): Promise<void> {
    for (const user of this.#users) {
      const name = await user(workgroup, part, id);
      if (name !== null) throw new AppError(`${ERROR[part]}.in_use`, { name });
    }
  }

  async #row<K extends SetupTable>(kind: K, workgroup: string, id: string) {
    const row = await this.#options.setup.find(kind, workgroup, id);
    if (!row) throw new AppError(`${ERROR[kind]}.not_found`);
    return row;
  }

  async #add<K extends SetupTable>(
    kind: K,
    workgroup: string,
    values: Parameters<SetupStore['add']>[2] & { name: string },
  ) {
    const { setup, tell } = this.#options;
    const count = MOST[kind];
    if ((await setup.list(kind, workgroup)).length >= count)
      throw new AppError(`${ERROR[kind]}.too_many`, { count });
    const row = await setup.add(kind, workgroup, values as never);
    if (!row) throw new AppError(`${ERROR[kind]}.name_taken`, { name: values.name });
    tell(LIST[kind], workgroup);
    return row;
  }

  async #set<K extends SetupTable>(kind: K, workgroup: string, id: string, values: { name: string }) {
    const { setup, tell } = this.#options;
    const row = await setup.set(kind, workgroup, id, values as never);
    if (row === null) throw new AppError(`${ERROR[kind]}.name_taken`, { name: values.name });
    if (!row) throw new AppError(`${ERROR[kind]}.not_found`);
    tell(LIST[kind], workgroup);
    return row;
  }

  async #remove(kind: SetupTable, workgroup: string, id: string, by: Actor): Promise<void> {
    const row = await this.#options.setup.remove(kind, workgroup, id);
    if (!row) return;
    this.#options.tell(LIST[kind], workgroup);
    this.#record(kind, row, by, 'delete', '', row.name);
  }

  #rotaOf(row: RotaRow, names: ReadonlyMap<string, string>): Rota {
    const from = this.#options.now();
    const spans = spansOf(row, from, from + SHOWN_MS, (user) => names.has(user));
    const shifts = spans.map((span) => shiftOf(span, names));
    const now = shifts[0]?.user ? shifts[0] : null;
    return {
      _id: row.id,
      name: row.name,
      zone: row.zone,
      members: row.members,
      startsOn: row.startsOn,
      handover: row.handover,
      shiftDays: row.shiftDays,
      weekdays: row.weekdays,
      overrides: row.overrides,
      now,
      next: shifts.slice(1).find(({ user }) => user !== null) ?? null,
      shifts,
    };
  }

  #record(
    kind: SetupTable,
    { workgroup, name, id }: { workgroup: string; name: string; id: string },
    { email, address }: Actor,
    action: string,
    newValue: string,
    oldValue = '',
  ): void {
    this.#options.audit.record({
      workgroup,
      at: Date.now(),
      controller: ERROR[kind],
      entity: `${name} (${id})`,
      action,
      ...(newValue ? { newValue } : {}),
      ...(oldValue ? { oldValue } : {}),
      by: email,
      address,
    });
  }
}

const shiftOf = ({ user, from, to, isOverride }: Span, names: ReadonlyMap<string, string>) => ({
  user,
  name: user === null ? null : (names.get(user) ?? null),
  from,
  to,
  isOverride,
});

const channelOf = (row: ChannelRow): Channel => ({
  _id: row.id,
  name: row.name,
  kind: row.kind,
  enabled: row.isEnabled,
  emails: row.emails,
  template: row.template,
  host: row.host,
  hasToken: row.token !== null,
  phones: row.phones,
  lastOkAt: row.lastOkAt?.getTime() ?? null,
  lastError: row.lastError,
  failingSince: row.failingSince?.getTime() ?? null,
  offReason: row.offReason,
});

const channelText = ({ name, kind, isEnabled, emails, template, host, phones }: ChannelRow): string =>
  JSON.stringify({ name, kind, enabled: isEnabled, emails, template, host, phones });

const escalationOf = ({ id, name, steps, repeatMinutes }: EscalationRow): Escalation => ({
  _id: id,
  name,
  steps,
  repeatMinutes,
});

const rotaText = ({ id: _id, workgroup: _workgroup, ...rota }: RotaRow): string => JSON.stringify(rota);

const heartbeatOf = (row: HeartbeatRow | undefined): Heartbeat => ({
  enabled: row?.isEnabled ?? false,
  everyMinutes: row?.everyMinutes ?? 5,
  host: row?.host ?? null,
  lastOkAt: row?.lastOkAt?.getTime() ?? null,
  lastError: row?.lastError ?? null,
});
