import type { AuditPage, AuditQuery, AuditRow } from '@albedo/contract/audit/audit.schema';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { PageQuery, TelemetryReader } from '../telemetry/telemetry.service.ts';
import { AUDIT_STREAM, type Audit, NO_DEVICE } from './audit.service.ts';

type Cell = string | number | null;
type Filter = PageQuery['filters'][number];

/** Texts of an entry that a search looks through. */
const SEARCHED = [
  'controller',
  'entity',
  'action',
  'attribute',
  'old_value',
  'new_value',
  'user_id',
  'address',
];

/** Reads the audit log, newest first. Members of a device group see only entries about its devices. */
export class AuditReader {
  readonly #audit: Audit;
  readonly #registry: DeviceRegistry;

  constructor(of: { audit: Audit; registry: DeviceRegistry }) {
    this.#audit = of.audit;
    this.#registry = of.registry;
  }

  /** Waits for what was recorded in this process until now, so that people see their own changes. */
  async page(telemetry: TelemetryReader, query: AuditQuery, signal: AbortSignal): Promise<AuditPage> {
    const { workgroup } = telemetry;
    if (!(await this.#isThere(telemetry))) return { entries: [], next: null };
    const { rows, before, from = 0, to = Number.MAX_SAFE_INTEGER, q } = query;
    const [at, msgId] = before?.split('_') ?? [];
    const records = await telemetry.page(
      AUDIT_STREAM.table,
      {
        timeframe: { from, to: Math.min(to, FAR_MS) },
        filters: filtersOf(query),
        text: q ? { fields: SEARCHED, contains: q, devices: this.#named(workgroup, q) } : null,
        before: at && msgId ? { at: Number(at), msgId } : null,
        rows: rows + 1,
      },
      signal,
    );
    const entries = records.slice(0, rows).map((record) => {
      const entry = toEntry(record);
      return { ...entry, deviceName: this.#nameOf(workgroup, entry.device) };
    });
    return { entries, next: records.length > rows ? (entries.at(-1)?.id ?? null) : null };
  }

  async choices(telemetry: TelemetryReader): Promise<{ controllers: string[]; actions: string[] }> {
    if (!(await this.#isThere(telemetry))) return { controllers: [], actions: [] };
    const [controllers, actions] = await Promise.all(
      ['controller', 'action'].map((field) => telemetry.texts(AUDIT_STREAM.table, field)),
    );
    return { controllers: controllers ?? [], actions: actions ?? [] };
  }

  /** Ids of the devices with this in their names. */
  #named(workgroup: string, q: string): string[] {
    const wanted = q.toLocaleLowerCase();
    return this.#registry
      .inWorkgroup(workgroup)
      .filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
      .slice(0, MOST_NAMED)
      .map(({ id }) => id);
  }

  /** A device that moved to another workgroup has a name that is not told here. */
  #nameOf(workgroup: string, id: string | null): string | null {
    const device = id === null ? null : this.#registry.known(id);
    return device?.workgroup === workgroup ? device.name : null;
  }

  async #isThere(telemetry: TelemetryReader): Promise<boolean> {
    await this.#audit.flush();
    return (await telemetry.tables()).includes(AUDIT_STREAM.table);
  }
}

/** End of the times that the store knows, epoch ms. */
const FAR_MS = Date.UTC(2200, 0, 1);
/** Devices that one text finds by their names; a text that finds more is no name. */
const MOST_NAMED = 1000;

function filtersOf({ by, action, controller, device }: AuditQuery): Filter[] {
  return [
    ...(device ? [{ field: 'device', operator: '=' as const, value: device }] : []),
    ...(by ? [{ field: 'user_id', operator: 'LIKE' as const, value: `*${by.replaceAll('*', '')}*` }] : []),
    ...(action ? [{ field: 'action', operator: '=' as const, value: action }] : []),
    ...(controller ? [{ field: 'controller', operator: '=' as const, value: controller }] : []),
  ];
}

function toEntry(record: Record<string, Cell>): Omit<AuditRow, 'deviceName'> {
  const text = (name: string): string | null => {
    const cell = record[name] ?? null;
    return cell === null ? null : String(cell);
  };
  const at = Date.parse(String(record.event_time));
  const device = text('device');
  return {
    id: `${at}_${record.msg_id}`,
    at,
    controller: text('controller') ?? '',
    entity: text('entity') ?? '',
    device: device === NO_DEVICE ? null : device,
    action: text('action') ?? '',
    attribute: text('attribute'),
    oldValue: text('old_value'),
    newValue: text('new_value'),
    by: text('user_id'),
    address: text('address'),
    status: text('status') === 'failed' ? 'failed' : 'success',
  };
}
