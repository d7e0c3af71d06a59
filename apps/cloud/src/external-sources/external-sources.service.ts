import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import {
  EXTERNAL_RECORDS,
  type ExternalSource,
  type NewExternalSource,
  type SavedExternalSource,
} from '@albedo/contract/external-sources/external-sources.schema';
import { OWN_NUMBERS } from '@albedo/contract/link/link.messages';
import type { MappedPreview } from '@albedo/contract/mapping/mapping.schema';
import { OWN_TABLES } from '@albedo/contract/telemetry/telemetry.schema';
import { WORKGROUP_LIMITS } from '@albedo/contract/workgroups/limits';
import { whenHeld } from '@albedo/postgres/together';
import type { Actor } from '../access/actor.ts';
import { ALL_DEVICES } from '../access/device-scope.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import type { Devices } from '../devices/devices.service.ts';
import { AppError } from '../errors/app-error.ts';
import { invalid } from '../errors/request-issues.ts';
import {
  type ForecastTables,
  hasTimeOfArrival,
  withGoodTimes,
} from '../forecast-tables/forecast-tables.service.ts';
import { eventsArrived } from '../ingest/ingest.topics.ts';
import { fieldsOf, type MappedEvent, Mapper, previewOf, rowsBySource } from '../mapping/map-records.ts';
import type { ForeignRecord } from '../mapping/read-records.ts';
import type { OutboundQuota } from '../outbound/outbound.quota.ts';
import type { OutsideFetch } from '../outbound/outside-fetch.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Seal } from '../secrets/sealed.ts';
import type { TellList } from '../sockets/lists.ts';
import type { Telemetry, TelemetryBlock } from '../telemetry/telemetry.service.ts';
import { hearOutside, readGiven, readOutside, readPushed, troubleOf } from './external-sources.reading.ts';
import { type ExternalSourceRow, type ExternalSourcesStore, shown } from './external-sources.store.ts';

export interface ExternalSourcesOptions {
  forecasts: Pick<ForecastTables, 'has'>;
  store: ExternalSourcesStore;
  devices: Pick<Devices, 'create' | 'get' | 'setSetting'>;
  registry: Pick<DeviceRegistry, 'known'>;
  telemetry: Telemetry;
  seal: Seal;
  gate: OutsideFetch;
  quota: OutboundQuota;
  audit: Audit;
  bus: Bus;
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

const MINUTE_MS = 60_000;
/** A source that fails is asked more and more rarely, up to so many times its own pause. */
const LONGEST_PAUSE = 16;

/** Data that comes without an agent: read by the cloud on a schedule, or pushed to it. */
export class ExternalSources {
  readonly #options: ExternalSourcesOptions;

  constructor(options: ExternalSourcesOptions) {
    this.#options = options;
  }

  async list(workgroup: string): Promise<ExternalSource[]> {
    return (await this.#options.store.list(workgroup)).map(shown);
  }

  /**
   * Throws `external_source.too_many`, `external_source.name_taken`, `device.not_found`, `device.name_taken`,
   * `data_table.system`.
   */
  async create(workgroup: string, wanted: NewExternalSource, by: Actor): Promise<SavedExternalSource> {
    const { store } = this.#options;
    refuseOwnTable(wanted);
    const { externalSources: count } = WORKGROUP_LIMITS;
    if ((await store.count(workgroup)) >= count) throw new AppError('external_source.too_many', { count });
    if ((await store.list(workgroup)).some(({ name }) => name === wanted.name))
      throw new AppError('external_source.name_taken', { name: wanted.name });
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
   * `data_table.system`.
   */
  async update(
    workgroup: string,
    id: string,
    wanted: NewExternalSource,
    by: Actor,
  ): Promise<SavedExternalSource> {
    refuseOwnTable(wanted);
    await this.#row(workgroup, id);
    // A device may be made here, which is told at once.
    const device = wanted.device ? await this.#deviceOf(workgroup, wanted, by) : null;
    return this.#options.store.alone(workgroup, id, () =>
      this.#update(workgroup, id, { wanted, device }, by),
    );
  }

  async #update(
    workgroup: string,
    id: string,
    { wanted, device }: { wanted: NewExternalSource; device: string | null },
    by: Actor,
  ): Promise<SavedExternalSource> {
    const before = await this.#row(workgroup, id);
    const { secret } = wanted;
    const isElsewhere = machineOf(before) !== machineOf(wanted);
    const needsSecret = isElsewhere && before.secret !== null && secret === undefined && hasSignIn(wanted);
    if (needsSecret) throw invalid('issue.secret_again', {}, 'secret');
    const isPush = wanted.kind === 'push';
    const token = isPush && before.tokenHash === null ? newToken() : null;
    const row = await this.#options.store.set(workgroup, id, {
      ...valuesOf(wanted, device ?? before.device),
      ...(secret === undefined ? {} : { secret: this.#options.seal.close(secret, ownerOf(id)) }),
      ...(hasSignIn(wanted) ? {} : { secret: null }),
      ...(token ? { tokenHash: hashOf(token) } : {}),
      ...(isPush ? {} : { tokenHash: null }),
    });
    if (row === undefined) throw new AppError('external_source.not_found');
    if (row === null) throw new AppError('external_source.name_taken', { name: wanted.name });
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
    wanted: Pick<
      NewExternalSource,
      'kind' | 'format' | 'recordsPath' | 'mapping' | 'pull' | 'subscription' | 'secret'
    >,
    { of, text }: { of: string | undefined; text: string | undefined },
  ): Promise<MappedPreview> {
    refuseOwnTable(wanted);
    const known = of === undefined ? null : await this.#row(workgroup, of);
    const { pull, subscription, format, recordsPath } = wanted;
    // The secret of a source is not sent to another address than its own.
    const isSame = known && machineOf(known) === machineOf(wanted);
    const secret = wanted.secret ?? (isSame ? this.secretOf(known) : null);
    if (wanted.kind === 'mqtt' && subscription)
      return hearOutside(this.#options, { ...wanted, workgroup, subscription, password: secret });
    if (text !== undefined || !pull)
      return previewOf(wanted.mapping, readGiven(text ?? '', format, recordsPath));
    const records = await readOutside(this.#options, {
      workgroup,
      pull,
      secret,
      format,
      recordsPath,
      newestAt: null,
    });
    return previewOf(wanted.mapping, records.slice(0, EXTERNAL_RECORDS));
  }

  /** Reads a source now. What goes wrong stands in its answer. Throws `external_source.not_found`. */
  async run(workgroup: string, id: string): Promise<ExternalSource> {
    await this.#row(workgroup, id);
    await this.pull(id);
    return shown(await this.#row(workgroup, id));
  }

  /** Reads a source and stores what is new; how that ended is kept with it. */
  async pull(id: string): Promise<void> {
    const row = await this.#options.store.byId(id);
    if (!row?.pull || row.kind !== 'pull') return;
    const at = new Date();
    const everyMs = row.pull.everyMinutes * MINUTE_MS;
    try {
      const records = await readOutside(this.#options, {
        workgroup: row.workgroup,
        pull: row.pull,
        secret: this.secretOf(row),
        format: row.format,
        recordsPath: row.recordsPath,
        newestAt: row.newestAt?.getTime() ?? null,
      });
      await this.#store(row, records, at, new Date(at.getTime() + everyMs));
    } catch (error) {
      const why = error instanceof AppError ? error.message : 'The server failed to read this source.';
      const failures = row.failures + 1;
      const pause = everyMs * Math.min(LONGEST_PAUSE, 2 ** Math.min(10, row.failures));
      await this.#options.store.ended(id, at, {
        lastError: why,
        failures,
        nextAt: new Date(at.getTime() + pause),
      });
      this.#options.tell('external-sources', row.workgroup);
      if (!(error instanceof AppError)) throw error;
    }
  }

  /** Takes what was pushed. Throws `external_source.token_invalid`, `.unreachable`, `.push_too_large`. */
  async push(id: string, token: string, body: unknown): Promise<Brought> {
    const row = await this.#options.store.byId(id);
    if (!row?.tokenHash || !isSameHash(row.tokenHash, hashOf(token)) || !row.isEnabled)
      throw new AppError('external_source.token_invalid');
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? null);
    const records = readPushed(text, row.format, row.recordsPath);
    return this.#store(row, records, new Date(), null);
  }

  async #store(
    row: ExternalSourceRow,
    records: ForeignRecord[],
    at: Date,
    nextAt: Date | null,
  ): Promise<Brought> {
    const { workgroup, device, mapping } = row;
    const mapper = new Mapper(mapping);
    const events = records.slice(-EXTERNAL_RECORDS).flatMap((record) => mapper.event(record) ?? []);
    const { stored, ahead } = await this.#insert({ workgroup, device, serial: row.serial, mapping }, events);
    const newest = events.reduce((most, event) => Math.max(most, event.at), row.newestAt?.getTime() ?? 0);
    await this.#options.store.ended(row.id, at, {
      lastOkAt: at,
      lastError: troubleOf(mapper, records.length, ahead),
      lastEvents: stored,
      failures: 0,
      nextAt,
      ...(newest > 0 ? { newestAt: new Date(Math.min(newest, Date.now())) } : {}),
    });
    this.#options.tell('external-sources', workgroup);
    return { records: records.length, events: events.length, stored, faults: mapper.faults };
  }

  /** Throws `data_table.system`. Stores what is not stored yet: an event has its number by its time, so that a repeat is known and a correction replaces. */
  async #insert(
    of: Pick<ExternalSourceRow, 'workgroup' | 'device' | 'serial' | 'mapping'>,
    events: MappedEvent[],
  ): Promise<{ stored: number; ahead: number }> {
    refuseOwnTable(of);
    const sink = this.#options.telemetry.asSystem('ingest');
    const fields = fieldsOf(of.mapping);
    const { table } = of.mapping;
    const isForecast = this.#options.forecasts.has(of.workgroup, table);
    const now = Date.now();
    let ahead = 0;
    const blocks: TelemetryBlock[] = [];
    for (const [source, all] of rowsBySource(events, ({ at }) => numberAt(of.serial, at))) {
      const each = [...new Map(all.map((one) => [one[0], one])).values()];
      for (const { rows, ...rest } of withGoodTimes({ fields, rows: each }, now, isForecast)) {
        const stream = { table, source, ...rest };
        if (hasTimeOfArrival(stream)) ahead += rows.length;
        const block = { workgroup: of.workgroup, device: of.device, stream, rows };
        const held = await sink.held(block);
        const fresh = rows.filter((one) => !held.has(one));
        if (fresh.length > 0) blocks.push({ ...block, rows: fresh });
      }
    }
    if (blocks.length === 0) return { stored: 0, ahead };
    await sink.insert(blocks, randomUUID());
    const streams = blocks.map(({ stream, rows }) => ({ ...stream, rows }));
    await this.#options.bus.publish(eventsArrived, { workgroup: of.workgroup, device: of.device, streams });
    return { stored: blocks.reduce((sum, { rows }) => sum + rows.length, 0), ahead };
  }

  async #deviceOf(workgroup: string, { device, name }: NewExternalSource, by: Actor): Promise<string> {
    const { devices } = this.#options;
    if (device !== null) return (await devices.get(workgroup, device, ALL_DEVICES)).id;
    return (await devices.create(workgroup, { name, arch: 'amd64', ced: true }, by)).id;
  }

  /** The device tells of the scenario, as it tells of those of an agent. */
  async #noteScenario(row: ExternalSourceRow, by: Actor, isGone: boolean): Promise<void> {
    const { devices } = this.#options;
    const { workgroup, device: id, mapping } = row;
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
    const { id, workgroup, device, name, kind, mapping, pull, subscription } = row;
    const entry = {
      workgroup,
      device,
      at: Date.now(),
      controller: 'external-source',
      entity: `${name} (${id})`,
    };
    const newValue = JSON.stringify({
      name,
      kind,
      address: (pull ?? subscription)?.address,
      table: mapping.table,
    });
    this.#options.audit.record({
      ...entry,
      action,
      by: by.email,
      address: by.address,
      ...(action === 'delete' ? { oldValue: newValue } : { newValue }),
    });
    await whenHeld(async () => {
      this.#options.hurry();
      if (action !== 'token') await this.#noteScenario(row, by, action === 'delete');
      this.#options.tell('external-sources', workgroup);
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

function valuesOf(wanted: NewExternalSource, device: string) {
  const { name, kind, isEnabled, format, recordsPath, mapping } = wanted;
  const isPull = kind === 'pull';
  return {
    device,
    name,
    kind,
    isEnabled,
    format,
    recordsPath,
    mapping,
    pull: isPull ? wanted.pull : null,
    subscription: kind === 'mqtt' ? wanted.subscription : null,
    nextAt: isPull ? new Date() : null,
  };
}

const newToken = (): string => `push_${randomBytes(32).toString('base64url')}`;
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
const isSameHash = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b));
/** The machine that is asked, to which the secret of a source belongs. */
function machineOf({ kind, pull, subscription }: Pick<NewExternalSource, 'kind' | 'pull' | 'subscription'>) {
  const address = (kind === 'mqtt' ? subscription : pull)?.address;
  if (address === undefined || !URL.canParse(address)) return null;
  const { protocol, host } = new URL(address);
  return `${protocol}//${host.toLowerCase()}`;
}

const hasSignIn = ({ kind, pull, subscription }: NewExternalSource): boolean =>
  kind === 'pull' ? pull?.credential.kind !== 'none' : kind === 'mqtt' && Boolean(subscription?.user);

/** Above what imports have: the instant, then which source of the workgroup. */
const numberAt = (serial: number, at: number): number => OWN_NUMBERS + 2 ** 51 + at * 256 + (serial % 256);

interface Scenario {
  querySource?: unknown;
}
const scenariosIn = (externalMeta: unknown): Scenario[] => {
  const { external } = (externalMeta ?? {}) as { external?: unknown };
  return Array.isArray(external) ? (external as Scenario[]) : [];
};

/** Nobody outside writes into the tables in which the cloud and the agents tell of themselves. */
function refuseOwnTable({ mapping: { table } }: Pick<ExternalSourceRow, 'mapping'>): void {
  if (OWN_TABLES.has(table)) throw new AppError('data_table.system', { table });
}
