import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type {
  ExternalPreview,
  ExternalRun,
  ExternalSource,
  NewExternalSource,
  SavedExternalSource,
} from '@albedo/contract/external-sources/external-sources.schema';
import type { MappedPreview } from '@albedo/contract/mapping/mapping.schema';
import { WORKGROUP_LIMITS } from '@albedo/contract/workgroups/limits';
import { whenHeld } from '@albedo/postgres/together';
import type { Actor } from '../access/actor.ts';
import { ALL_DEVICES, type DeviceScope } from '../access/device-scope.ts';
import type { Audit, AuditEntry } from '../audit/audit.service.ts';
import type { Devices } from '../devices/devices.service.ts';
import { AppError } from '../errors/app-error.ts';
import { invalid } from '../errors/request-issues.ts';
import type { LookupTables } from '../lookup-tables/lookup-tables.service.ts';
import { UnreadableRecords } from '../mapping/unreadable-records.ts';
import type { OutboundQuota } from '../outbound/outbound.quota.ts';
import type { OutsideFetch } from '../outbound/outside-fetch.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Seal } from '../secrets/sealed.ts';
import type { TellList } from '../sockets/lists.ts';
import { hearOutside, readGiven, readPushed, unreachable } from './external-sources.reading.ts';
import {
  type ExternalSourceRow,
  type ExternalSourcesStore,
  isScheduled,
  shown,
} from './external-sources.store.ts';
import { RecordWriter, type RecordWriterOptions, refuseOwnTable } from './record-writer.ts';
import { emptyPreview, previewFile } from './source-preview.ts';
import { SourceRunner } from './source-runner.ts';
import { isVisible } from './visible-sources.ts';

export interface ExternalSourcesOptions extends RecordWriterOptions {
  store: ExternalSourcesStore;
  devices: Pick<Devices, 'create' | 'get' | 'setSetting'>;
  registry: Pick<DeviceRegistry, 'known'>;
  lookups: Pick<LookupTables, 'find' | 'refill'>;
  seal: Seal;
  gate: OutsideFetch;
  quota: OutboundQuota;
  audit: Audit;
  tell: TellList;
  /** The brokers of sources are looked through at once. */
  hurry: () => void;
}

export interface Brought {
  records: number;
  events: number;
  stored: number;
  /** What was left out of the first faulty records. */
  faults: MappedPreview['faults'];
}

/** Data that comes without an agent: read by the cloud on a schedule, or pushed to it. */
export class ExternalSources {
  readonly #options: ExternalSourcesOptions;
  readonly #writer: RecordWriter;
  readonly #runner: SourceRunner;

  constructor(options: ExternalSourcesOptions) {
    this.#options = options;
    this.#writer = new RecordWriter(options);
    this.#runner = new SourceRunner({
      ...options,
      writer: this.#writer,
      secretOf: (row) => this.secretOf(row),
      tell: (workgroup) => options.tell('external-sources', workgroup),
      onHostKey: (row, hostKey) => this.#keptHostKey(row, hostKey),
    });
  }

  /** Sources of visible devices. Those of lookup tables are only for callers who see every device. */
  async list(workgroup: string, scope: DeviceScope): Promise<ExternalSource[]> {
    return (await this.#options.store.list(workgroup)).filter((row) => isVisible(row, scope)).map(shown);
  }

  /** How a source was read, the newest run first. Throws `external_source.not_found`. */
  async runs(workgroup: string, id: string, scope: DeviceScope): Promise<ExternalRun[]> {
    if (!isVisible(await this.#row(workgroup, id), scope)) throw new AppError('external_source.not_found');
    return this.#options.store.runs(workgroup, id);
  }

  /**
   * Throws `external_source.too_many`, `external_source.name_taken`, `device.not_found`, `device.name_taken`,
   * `data_table.system`, `lookup_table.not_found`.
   */
  async create(workgroup: string, wanted: NewExternalSource, by: Actor): Promise<SavedExternalSource> {
    const { store } = this.#options;
    refuseOwnTable(wanted);
    const { externalSources: count } = WORKGROUP_LIMITS;
    if ((await store.count(workgroup)) >= count) throw new AppError('external_source.too_many', { count });
    if ((await store.list(workgroup)).some(({ name }) => name === wanted.name))
      throw new AppError('external_source.name_taken', { name: wanted.name });
    await this.#demandTable(workgroup, wanted);
    const id = randomUUID();
    const device = await this.#deviceOf(workgroup, wanted, by);
    const token = wanted.kind === 'push' ? newToken() : null;
    const { secret } = wanted;
    const row = await store.add(workgroup, {
      ...valuesOf(wanted, device),
      id,
      secret: secret === undefined ? null : this.#options.seal.close(secret, ownerOf(id)),
      tokenHash: token && hashOf(token),
    });
    if (!row) throw new AppError('external_source.name_taken', { name: wanted.name });
    await this.#changed(row, by, 'create');
    return { ...shown(row), token };
  }

  /**
   * Throws `external_source.not_found`, `external_source.name_taken`, `device.not_found`, `issue.secret_again`,
   * `data_table.system`, `lookup_table.not_found`.
   */
  async update(
    workgroup: string,
    id: string,
    wanted: NewExternalSource,
    by: Actor,
  ): Promise<SavedExternalSource> {
    refuseOwnTable(wanted);
    await this.#demandTable(workgroup, wanted);
    const { device: before } = await this.#row(workgroup, id);
    // A device may be made here, which is told at once.
    const needsDevice = wanted.device !== null || before === null;
    const device = needsDevice ? await this.#deviceOf(workgroup, wanted, by) : null;
    return this.#options.store.alone(workgroup, id, () =>
      this.#update(workgroup, id, { wanted, device }, by),
    );
  }

  async #update(
    workgroup: string,
    id: string,
    { wanted: given, device }: { wanted: NewExternalSource; device: string | null },
    by: Actor,
  ): Promise<SavedExternalSource> {
    const before = await this.#row(workgroup, id);
    const wanted = withKnownKey(given, before);
    const { secret } = wanted;
    const isElsewhere = machineOf(before) !== machineOf(wanted);
    const needsSecret = isElsewhere && before.secret !== null && secret === undefined && hasSignIn(wanted);
    if (needsSecret) throw invalid('issue.secret_again', {}, 'secret');
    const isPush = wanted.kind === 'push';
    const token = isPush && before.tokenHash === null ? newToken() : null;
    const owner = device ?? before.device;
    const isOther = !isDeepStrictEqual(
      readingOf(before),
      readingOf({ ...onlyItsPlace(wanted), device: owner }),
    );
    const row = await this.#options.store.set(workgroup, id, {
      ...valuesOf(wanted, owner),
      ...(isOther ? { cursor: null, newestAt: null } : {}),
      ...(secret === undefined ? {} : { secret: this.#options.seal.close(secret, ownerOf(id)) }),
      ...(hasSignIn(wanted) ? {} : { secret: null }),
      ...(token ? { tokenHash: hashOf(token) } : {}),
      ...(isPush ? {} : { tokenHash: null }),
    });
    if (row === undefined) throw new AppError('external_source.not_found');
    if (row === null) throw new AppError('external_source.name_taken', { name: wanted.name });
    // If files are read in another way now, all of them are read again.
    if (isOther) await this.#options.store.forgetFiles(id);
    const { device: was } = before;
    if (was !== null && was !== row.device)
      await whenHeld(() => this.#noteScenario({ ...before, device: was }, by, true));
    await this.#changed(row, by, 'update');
    return { ...shown(row), token };
  }

  /** Throws `external_source.not_found`. */
  async remove(workgroup: string, id: string, by: Actor): Promise<void> {
    const row = await this.#row(workgroup, id);
    if (!(await this.#options.store.remove(workgroup, id))) throw new AppError('external_source.not_found');
    await this.#changed(row, by, 'delete');
  }

  /** Throws `external_source.not_found`. */
  async renewToken(workgroup: string, id: string, by: Actor): Promise<SavedExternalSource> {
    const { kind } = await this.#row(workgroup, id);
    if (kind !== 'push') throw new AppError('external_source.not_found');
    const token = newToken();
    const row = await this.#options.store.set(workgroup, id, { tokenHash: hashOf(token) });
    if (!row) throw new AppError('external_source.not_found');
    await this.#changed(row, by, 'token');
    return { ...shown(row), token };
  }

  /**
   * What a source would bring; nothing is stored. Throws `external_source.unreachable`, `external_source.busy`,
   * `data_table.system`.
   */
  async preview(
    workgroup: string,
    wanted: NewExternalSource,
    { of, text }: { of: string | undefined; text: string | undefined },
  ): Promise<ExternalPreview> {
    refuseOwnTable(wanted);
    const saved = of === undefined ? null : await this.#row(workgroup, of);
    const { subscription, format, recordsPath, mapping, kind } = wanted;
    // The secret of a source is not sent to another address than its own.
    const isSame = saved && machineOf(saved) === machineOf(wanted);
    const secret = wanted.secret ?? (isSame ? this.secretOf(saved) : null);
    if (kind === 'mqtt' && subscription && mapping)
      return emptyPreview(
        await hearOutside(this.#options, { ...wanted, mapping, workgroup, subscription, password: secret }),
      );
    if (text !== undefined || kind === 'push') {
      const { lookup } = wanted;
      const table = lookup ? await this.#options.lookups.find(workgroup, lookup.table) : undefined;
      return previewFile(wanted, readGiven(text ?? '', format, recordsPath), table);
    }
    const looked = saved ? withKnownKey(wanted, saved) : wanted;
    return this.#runner.look(workgroup, onlyItsPlace(looked), { secret, saved });
  }

  /** Reads a source now. What goes wrong stands in its answer. Throws `external_source.not_found`, `external_source.busy`. */
  async run(workgroup: string, id: string, by: Actor): Promise<ExternalSource> {
    const row = await this.#row(workgroup, id);
    this.#note(row, by, { action: 'run' });
    await this.#runner.run(id, 'person');
    return shown(await this.#row(workgroup, id));
  }

  /** Reads a source that is due. */
  async pull(id: string): Promise<void> {
    await this.#runner.run(id, 'schedule');
  }

  /** Takes what was pushed. Throws `external_source.token_invalid`, `.unreachable`, `.push_too_large`. */
  async push(id: string, token: string, body: unknown): Promise<Brought> {
    const row = await this.#options.store.byId(id);
    if (!row?.tokenHash || !isSameHash(row.tokenHash, hashOf(token)) || !row.isEnabled)
      throw new AppError('external_source.token_invalid');
    const at = Date.now();
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? null);
    const records = readPushed(text, row.format, row.recordsPath);
    const written = await this.#writer.write(row, records).catch((error: unknown) => {
      throw error instanceof UnreadableRecords ? unreachable(error) : error;
    });
    const brought = { written, files: [], isMore: false, note: null };
    await this.#runner.ended(row, { at, by: 'push', brought, nextAt: null });
    const { good: events, stored, faults } = written;
    return { records: written.records, events, stored, faults };
  }

  /** Throws `lookup_table.not_found`. */
  async #demandTable(workgroup: string, { lookup }: NewExternalSource): Promise<void> {
    if (lookup && !(await this.#options.lookups.find(workgroup, lookup.table)))
      throw new AppError('lookup_table.not_found');
  }

  /** Null for a lookup table, which has no device. */
  async #deviceOf(
    workgroup: string,
    { device, name, lookup }: NewExternalSource,
    by: Actor,
  ): Promise<string | null> {
    const { devices } = this.#options;
    if (lookup) return null;
    if (device !== null) return (await devices.get(workgroup, device, ALL_DEVICES)).id;
    return (await devices.create(workgroup, { name, arch: 'amd64', ced: true }, by)).id;
  }

  /** The device tells of the scenario, as it tells of those of an agent. */
  async #noteScenario(row: ExternalSourceRow, by: Actor, isGone: boolean): Promise<void> {
    const { devices } = this.#options;
    const { workgroup, device: id, mapping } = row;
    if (id === null || !mapping) return;
    const { settings } = await devices.get(workgroup, id, ALL_DEVICES);
    const known = scenariosIn(settings.externalMeta).filter(({ querySource }) => querySource !== row.id);
    const scenario = {
      table: mapping.table,
      source: mapping.source,
      expect: 'csv',
      fields: mapping.fields.map(({ name, type, units }) => ({
        name,
        expect: type,
        ...(units ? { meta: { units } } : {}),
      })),
      querySource: row.id,
      filters: [],
    };
    const external = isGone ? known : [...known, scenario];
    await devices.setSetting({ workgroup, id, scope: ALL_DEVICES }, 'externalMeta', { external }, by);
  }

  async #changed(row: ExternalSourceRow, by: Actor, action: 'create' | 'update' | 'delete' | 'token') {
    const { workgroup, name, kind, mapping, lookup, sftp } = row;
    const newValue = JSON.stringify({
      name,
      kind,
      address: placeOf(row)?.address,
      ...(lookup ? { lookupTable: lookup.table } : { table: mapping?.table }),
      ...(sftp?.hostKey ? { hostKey: sftp.hostKey } : {}),
    });
    this.#note(row, by, { action, ...(action === 'delete' ? { oldValue: newValue } : { newValue }) });
    await whenHeld(async () => {
      this.#options.hurry();
      if (action !== 'token') await this.#noteScenario(row, by, action === 'delete');
      this.#options.tell('external-sources', workgroup);
    });
  }

  /** The first key that a server shows is trusted, and the audit log says so. */
  #keptHostKey(row: ExternalSourceRow, hostKey: string): void {
    const newValue = JSON.stringify({ address: row.sftp?.address, hostKey });
    this.#note(row, null, { action: 'host-key', newValue });
  }

  #note(
    { workgroup, device, name, id }: ExternalSourceRow,
    by: Actor | null,
    what: Pick<AuditEntry, 'action' | 'oldValue' | 'newValue'>,
  ): void {
    this.#options.audit.record({
      workgroup,
      ...(device === null ? {} : { device }),
      at: Date.now(),
      controller: 'external-source',
      entity: `${name} (${id})`,
      ...(by ? { by: by.email, address: by.address } : { by: null }),
      ...what,
    });
  }

  async #row(workgroup: string, id: string): Promise<ExternalSourceRow> {
    const row = await this.#options.store.find(workgroup, id);
    if (!row) throw new AppError('external_source.not_found');
    return row;
  }

  secretOf({ id, secret }: ExternalSourceRow): string | null {
    return secret === null ? null : this.#options.seal.open(secret, ownerOf(id));
  }
}

const ownerOf = (id: string): string => `external-source:${id}`;

function valuesOf(wanted: NewExternalSource, device: string | null) {
  const { name, kind, isEnabled, format, recordsPath, mapping, lookup } = wanted;
  const { pull, sftp, mailbox, subscription } = onlyItsPlace(wanted);
  return {
    device: lookup ? null : device,
    name,
    kind,
    isEnabled,
    format,
    recordsPath,
    mapping: lookup ? null : mapping,
    lookup,
    pull,
    sftp,
    mailbox,
    subscription,
    nextAt: isScheduled(kind) ? new Date() : null,
  };
}

/** Without the settings of other kinds. */
const onlyItsPlace = (wanted: NewExternalSource): NewExternalSource => ({
  ...wanted,
  pull: wanted.kind === 'pull' ? wanted.pull : null,
  sftp: wanted.kind === 'sftp' ? wanted.sftp : null,
  mailbox: wanted.kind === 'mail' ? wanted.mailbox : null,
  subscription: wanted.kind === 'mqtt' ? wanted.subscription : null,
});

type Placed = Pick<NewExternalSource, 'kind' | 'pull' | 'sftp' | 'mailbox' | 'subscription'>;

const placeOf = ({ kind, pull, sftp, mailbox, subscription }: Placed) =>
  ({ pull, sftp, mail: mailbox, mqtt: subscription, push: null })[kind];

/** The settings that decide what becomes of a file. */
function readingOf({
  format,
  recordsPath,
  mapping,
  lookup,
  device,
  pull,
  sftp,
  mailbox,
}: Omit<Placed, 'kind'> &
  Pick<NewExternalSource, 'format' | 'recordsPath' | 'mapping' | 'lookup' | 'device'>) {
  const place = {
    device: lookup ? null : device,
    address: pull?.address,
    server: [sftp?.address, sftp?.user, sftp?.folder],
    mailbox: [mailbox?.address, mailbox?.user, mailbox?.folder],
  };
  const which = { from: mailbox?.from, subject: mailbox?.subject, files: mailbox?.files };
  return { format, recordsPath, mapping: lookup ? null : mapping, lookup, ...place, which };
}

const newToken = (): string => `push_${randomBytes(32).toString('base64url')}`;
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
const isSameHash = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b));
/** The machine that is asked, to which the secret of a source belongs. */
function machineOf(of: Placed): string | null {
  const address = placeOf(of)?.address;
  if (address === undefined || !URL.canParse(address)) return null;
  const { protocol, host } = new URL(address);
  return `${protocol}//${host.toLowerCase()}`;
}

/** With the saved host key: whoever sends none may not know that there is one by now. */
function withKnownKey(wanted: NewExternalSource, saved: ExternalSourceRow): NewExternalSource {
  const hostKey = saved.sftp?.hostKey ?? null;
  const { sftp, forgetHostKey } = wanted;
  const isKept = hostKey !== null && !forgetHostKey && machineOf(saved) === machineOf(wanted);
  return sftp && sftp.hostKey === null && isKept ? { ...wanted, sftp: { ...sftp, hostKey } } : wanted;
}

function hasSignIn({ kind, pull, subscription }: NewExternalSource): boolean {
  if (kind === 'pull') return pull?.credential.kind !== 'none';
  return kind === 'sftp' || kind === 'mail' || (kind === 'mqtt' && Boolean(subscription?.user));
}

interface Scenario {
  querySource?: unknown;
}
const scenariosIn = (externalMeta: unknown): Scenario[] => {
  const { external } = (externalMeta ?? {}) as { external?: unknown };
  return Array.isArray(external) ? (external as Scenario[]) : [];
};
