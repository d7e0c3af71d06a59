import type { MemberInfo } from '@albedo/contract/members/members.schema';
import { SCHEDULE_LIMITS } from '@albedo/contract/schedules/schedules.names';
import type {
  ControlPolicy,
  controlPolicyChange,
  newSchedule,
  Schedule,
} from '@albedo/contract/schedules/schedules.schema';
import type { z } from 'zod';
import type { DeviceScope } from '../access/device-scope.ts';
import type { Audit } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { DeviceScheduleRow } from './control.store.ts';
import type { ControlBy } from './control-by.ts';
import { holdersOf, type Needs, needsOf } from './control-policy.ts';
import { scheduleOf } from './control-shapes.ts';
import type { ScheduleRow, SchedulesStore } from './schedules.store.ts';
import type { AskedFor } from './schedules.tables.ts';

export interface SchedulesOptions {
  store: SchedulesStore;
  members: { list(workgroup: string): Promise<MemberInfo[]> };
  /** Whether somebody made one of these API tokens. */
  madeOneOf: (workgroup: string, ids: readonly string[], by: ControlBy) => Promise<boolean>;
  /** Writes to those who may approve what somebody asked for, and to owners; nobody waits for it. */
  write: {
    approvers: (row: DeviceScheduleRow, asked: AskedFor) => void;
    alone: (row: DeviceScheduleRow, asked: AskedFor) => void;
    policy: (workgroup: string, policy: ControlPolicy['twoPeople'], by: string) => void;
  };
  audit: Audit;
  now: () => number;
}

/** Shared schedules, which reach no device by themselves, and who has to agree to what does. */
export class Schedules {
  readonly #options: SchedulesOptions;

  constructor(options: SchedulesOptions) {
    this.#options = options;
  }

  /** By name; the devices are those of them that the caller sees. */
  async list(workgroup: string, scope: DeviceScope): Promise<Schedule[]> {
    const { store } = this.#options;
    const [rows, devices] = await Promise.all([store.list(workgroup), store.devices(workgroup)]);
    return rows.map((row) => shown(row, devices, scope));
  }

  /** Throws `schedule.not_found`. */
  async get(workgroup: string, id: string): Promise<ScheduleRow> {
    const row = await this.#options.store.find(workgroup, id);
    if (!row) throw new AppError('schedule.not_found');
    return row;
  }

  /** Throws `schedule.too_many`. */
  async create(workgroup: string, written: z.output<typeof newSchedule>, by: ControlBy): Promise<Schedule> {
    const row = await this.#options.store.add(workgroup, written, by.email);
    if (!row) throw new AppError('schedule.too_many', { max: SCHEDULE_LIMITS.schedules });
    this.#record(row, 'create', { newValue: textOf(row) }, by);
    return scheduleOf(row, []);
  }

  /** Throws `schedule.not_found`. */
  async change(
    { workgroup, scope }: { workgroup: string; scope: DeviceScope },
    id: string,
    written: z.output<typeof newSchedule>,
    by: ControlBy,
  ): Promise<Schedule> {
    const { store } = this.#options;
    const before = await this.get(workgroup, id);
    const row = await store.change(workgroup, id, written);
    if (!row) throw new AppError('schedule.not_found');
    this.#record(row, 'update', { oldValue: textOf(before), newValue: textOf(row) }, by);
    return shown(row, await store.devices(workgroup), scope);
  }

  /** Throws `schedule.not_found`. */
  async remove(workgroup: string, id: string, by: ControlBy): Promise<void> {
    const row = await this.#options.store.remove(workgroup, id);
    if (!row) throw new AppError('schedule.not_found');
    this.#record(row, 'delete', { oldValue: textOf(row) }, by);
  }

  async policy(workgroup: string, by: ControlBy): Promise<ControlPolicy> {
    const { store, members } = this.#options;
    const [row, all] = await Promise.all([store.policy(workgroup), members.list(workgroup)]);
    const holders = holdersOf(all);
    const twoPeople = row?.twoPeople ?? 'auto';
    return {
      twoPeople,
      holders: holders.length,
      needs: needsOf(twoPeople, holders, by),
      changedBy: row?.changedBy ?? null,
      changedAt: row?.changedAt.getTime() ?? null,
    };
  }

  /** Who has to agree to what this caller asks for, where it is no stop. */
  async needs(workgroup: string, by: ControlBy): Promise<Needs> {
    return (await this.policy(workgroup, by)).needs;
  }

  /** Throws `schedule.owners_only`. */
  async setPolicy(
    workgroup: string,
    { twoPeople }: z.output<typeof controlPolicyChange>,
    by: ControlBy,
  ): Promise<ControlPolicy> {
    const { store, write, audit, now } = this.#options;
    if (by.scope.role !== 'owner') throw new AppError('schedule.owners_only');
    const before = await this.policy(workgroup, by);
    await store.setPolicy(workgroup, twoPeople, by.email);
    const entry = {
      workgroup,
      at: now(),
      controller: 'schedules',
      entity: 'control_policy',
      action: 'update',
    };
    const texts = { attribute: 'twoPeople', oldValue: before.twoPeople, newValue: twoPeople };
    audit.record({ ...entry, ...texts, by: by.email, address: by.address });
    write.policy(workgroup, twoPeople, by.email);
    return this.policy(workgroup, by);
  }

  askApprovers(row: DeviceScheduleRow, asked: AskedFor): void {
    this.#options.write.approvers(row, asked);
  }

  tellAlone(row: DeviceScheduleRow, asked: AskedFor): void {
    this.#options.write.alone(row, asked);
  }

  /** Whether one of these is an API token that the caller made. */
  madeOneOf(workgroup: string, ids: readonly string[], by: ControlBy): Promise<boolean> {
    return this.#options.madeOneOf(workgroup, ids, by);
  }

  #record(
    { workgroup, id, name }: ScheduleRow,
    action: string,
    texts: { oldValue?: string; newValue?: string },
    by: ControlBy,
  ): void {
    const entry = { workgroup, at: this.#options.now(), controller: 'schedules', entity: id, action };
    this.#options.audit.record({ ...entry, attribute: name, ...texts, by: by.email, address: by.address });
  }
}

const shown = (row: ScheduleRow, devices: ReadonlyMap<string, string[]>, scope: DeviceScope): Schedule =>
  scheduleOf(
    row,
    (devices.get(row.id) ?? []).filter((device) => scope.has(device)),
  );

const textOf = ({ name, entries }: ScheduleRow): string =>
  JSON.stringify({ name, entries: entries.map(({ path, datetime, value }) => ({ path, datetime, value })) });
