import {
  APPROVAL_WAIT_MS,
  kindOfPath,
  LONE_PHRASE,
  SCHEDULE_LIMITS,
} from '@albedo/contract/schedules/schedules.names';
import type {
  applyDeviceSchedule,
  boundsChange,
  changedDeviceSchedule,
  DeviceSchedule,
  DeviceSetpoint,
  newDeviceSchedule,
  override,
  release,
  ScheduleEntry,
  ScheduleVersion,
  scheduleDecision,
} from '@albedo/contract/schedules/schedules.schema';
import { keptSetpoint, SetpointFault } from '@albedo/contract/schedules/setpoints';
import type { z } from 'zod';
import type { DeviceScope } from '../access/device-scope.ts';
import type { Audit } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import { invalid, issuesText } from '../errors/request-issues.ts';
import type { StepUp } from '../step-up/step-up.service.ts';
import type { At, ControlStore, DeviceScheduleRow, SetpointRow, VersionRow } from './control.store.ts';
import type { ControlBook, Holding } from './control-book.ts';
import type { Problem } from './control-bounds.ts';
import type { ControlBy } from './control-by.ts';
import type { ControlSender } from './control-sender.ts';
import { orderOf } from './control-sender.ts';
import { deviceScheduleOf, deviceSetpointOf, versionOf } from './control-shapes.ts';
import { type CurtailedQuestion, type CurtailedTime, curtailedTimesOf } from './curtailed-times.ts';
import type { Schedules } from './schedules.service.ts';
import type { AskedFor } from './schedules.tables.ts';
import { changesWithin } from './timeline.ts';

export interface ControlOptions {
  store: ControlStore;
  book: ControlBook;
  sender: ControlSender;
  schedules: Schedules;
  audit: Audit;
  stepUp: Pick<StepUp, 'takeConfirmation'>;
  isOnline: (device: string) => boolean;
  /** All that keeps a schedule from being applied, as the device and the bounds say. */
  problems: (
    at: At,
    setpoint: SetpointRow,
    row: Pick<DeviceScheduleRow, 'entries' | 'until'>,
  ) => Promise<Problem[]>;
  now: () => number;
}

type Applying = z.output<typeof applyDeviceSchedule>;
type Written = Pick<
  z.output<typeof newDeviceSchedule>,
  'setpoint' | 'name' | 'description' | 'entries' | 'until'
>;

/** A device of a workgroup. */
export interface OnDevice {
  workgroup: string;
  device: string;
}

const atOf = ({ workgroup, deviceId: device, setpoint: path }: DeviceScheduleRow): At => ({
  workgroup,
  device,
  path,
});

/**
 * Schedules of devices: written by one person, approved by another where the workgroup wants it, then ordered. What reaches
 * the device, and when, is the book's and the sender's.
 */
export class Control {
  readonly #options: ControlOptions;

  constructor(options: ControlOptions) {
    this.#options = options;
  }

  async list(workgroup: string, scope: DeviceScope, device?: string): Promise<DeviceSchedule[]> {
    const visible = scope.isAll ? undefined : scope.ids();
    const rows = await this.#options.store.list(workgroup, device, visible);
    return rows.filter(({ deviceId }) => scope.has(deviceId)).map(deviceScheduleOf);
  }

  async setpoints(workgroup: string, scope: DeviceScope, device?: string): Promise<DeviceSetpoint[]> {
    const { store } = this.#options;
    const [rows, pending] = await Promise.all([store.setpoints(workgroup, device), store.pending(workgroup)]);
    return rows
      .filter(({ deviceId }) => scope.has(deviceId))
      .map((row) => deviceSetpointOf(row, pending.get(`${row.deviceId} ${row.path}`) ?? null));
  }

  async versions({ workgroup, device }: OnDevice, path: string): Promise<ScheduleVersion[]> {
    return (await this.#options.store.versions(workgroup, device, path)).map(versionOf);
  }

  /** Devices whose active power was limited at some time since an instant, epoch ms. */
  async curtailed(workgroup: string, since: number): Promise<ReadonlySet<string>> {
    const { store, now } = this.#options;
    const rows = await store.heldSince(workgroup, new Date(since));
    const limited = rows.filter(
      (row) => kindOfPath(row.setpoint) === 'setpoint_activepower' && isLimited(row, since, now()),
    );
    return new Set(limited.map(({ deviceId }) => deviceId));
  }

  /** When the active power of devices was limited, by device; what goes on is known until now. */
  async curtailedTimes(
    workgroup: string,
    asked: CurtailedQuestion,
  ): Promise<ReadonlyMap<string, CurtailedTime[]>> {
    const { store, now } = this.#options;
    const to = Math.min(asked.to, now());
    if (asked.devices.size === 0 || asked.from >= to) return new Map();
    const devices = [...asked.devices.keys()];
    const versions = await store.limitedWithin(workgroup, devices, new Date(asked.from), new Date(to));
    return curtailedTimesOf(versions, { ...asked, to });
  }

  /** Throws `schedule.setpoint_unknown`. */
  async setBounds(
    on: OnDevice,
    { setpoint: path, bounds }: z.output<typeof boundsChange>,
    by: ControlBy,
  ): Promise<DeviceSetpoint> {
    const at = { ...on, path };
    const { store, book } = this.#options;
    return book.alone(at, async () => {
      const before = await this.#setpoint(at);
      const row = (await store.setSetpoint(at, { bounds })) ?? before;
      const texts = { oldValue: JSON.stringify(before.bounds), newValue: JSON.stringify(bounds) };
      this.record(at, path, { action: 'bounds', ...texts }, by);
      await book.tellSetpoint(at);
      return deviceSetpointOf(row, (await store.pendingOf(at))?.id ?? null);
    });
  }

  /** Throws `schedule.setpoint_unknown`, `schedule.setpoint_fixed`, `schedule.too_many`, and what `apply` throws. */
  async add(on: OnDevice, body: z.output<typeof newDeviceSchedule>, by: ControlBy): Promise<DeviceSchedule> {
    const row = await this.draft(on, body, by, null);
    return body.apply ? this.apply(on, row.id, body, by) : deviceScheduleOf(row);
  }

  async draft(
    on: OnDevice,
    written: Written,
    by: ControlBy,
    scheduleId: string | null,
  ): Promise<DeviceScheduleRow> {
    const at = { ...on, path: written.setpoint };
    const setpoint = await this.#setpoint(at);
    if (setpoint.type === 'fixed') throw new AppError('schedule.setpoint_fixed', { path: at.path });
    const row = await this.#insert(at, { ...contentOf(written), origin: 'schedule', scheduleId }, by);
    this.record(at, row.id, { action: 'create', newValue: textOf(row) }, by);
    return row;
  }

  async #insert(
    { workgroup, device, path }: At,
    content: Pick<DeviceScheduleRow, 'name' | 'description' | 'entries' | 'until' | 'origin' | 'scheduleId'>,
    by: ControlBy,
  ): Promise<DeviceScheduleRow> {
    const { store, book, now } = this.#options;
    const row = await store.add({
      ...{ workgroup, deviceId: device, setpoint: path, ...content, state: 'draft', inverters: [] },
      ...{ author: by.email, authorId: by.userId, editors: [by.email], editorIds: [by.userId] },
      changedAt: new Date(now()),
    });
    if (row === 'full') throw new AppError('schedule.too_many', { max: SCHEDULE_LIMITS.ofDevice });
    if (row === 'gone') throw new AppError('device.not_found', { id: device });
    book.tell(row);
    return row;
  }

  /** Throws `schedule.not_found`, `schedule.changed`, `schedule.pending`, and what `apply` throws. */
  async edit(
    on: OnDevice,
    id: string,
    body: z.output<typeof changedDeviceSchedule>,
    by: ControlBy,
  ): Promise<DeviceSchedule> {
    const { book, now } = this.#options;
    const found = await this.#find(on, id);
    const at = atOf(found);
    if (body.setpoint !== found.setpoint)
      throw invalid('issue.entry_path', { path: body.setpoint, setpoint: found.setpoint }, 'setpoint');
    const row = await book.alone(at, async () => {
      const before = await this.#find(on, id);
      if (body.over !== undefined && body.over !== before.changedAt.getTime())
        throw new AppError('schedule.changed');
      if (before.state === 'pending' && before.step !== 'approval') throw new AppError('schedule.pending');
      const edited = await book.change(id, {
        ...contentOf({ ...body, name: body.name ?? before.name }),
        ...{ origin: 'schedule', state: 'draft', step: null, asked: null, approver: null, reason: null },
        ...{ approvableUntil: null, appliedAt: null },
        ...{ editors: withOne(before.editors, by.email), editorIds: withOne(before.editorIds, by.userId) },
        changedAt: laterThan(before.changedAt, now()),
      });
      this.record(at, id, { action: 'update', oldValue: textOf(before), newValue: textOf(edited) }, by);
      await book.tellSetpoint(at);
      return edited;
    });
    return body.apply ? this.apply(on, id, body, by) : deviceScheduleOf(row);
  }

  /** Throws `schedule.not_found`, `schedule.pending`, `schedule.holds`. */
  async remove(on: OnDevice, id: string, by: ControlBy): Promise<void> {
    const { store, book } = this.#options;
    const at = atOf(await this.#find(on, id));
    await book.alone(at, async () => {
      const row = await this.#find(on, id);
      if (row.state === 'pending') throw new AppError('schedule.pending');
      const setpoint = await store.setpoint(at);
      const isUsed = setpoint !== undefined && (await book.inUse(at, setpoint)).has(id);
      if (isUsed || row.state === 'applied') throw new AppError('schedule.holds');
      await store.remove(id);
      this.record(at, id, { action: 'delete', oldValue: textOf(row) }, by);
      book.tellRemoved(row);
    });
  }

  /**
   * Asks for it, or orders it where nobody else has to agree. Throws `schedule.not_found`, `schedule.pending`, `schedule.past`,
   * `device.offline`, `schedule.alone`, `schedule.setpoint_unknown`, `schedule.setpoint_fixed`, what keeps it from being applied
   * (`request.invalid`), and what asking the device throws.
   */
  async apply(on: OnDevice, id: string, how: Applying, by: ControlBy): Promise<DeviceSchedule> {
    const row = await this.#find(on, id);
    if (row.origin === 'override') throw new AppError('schedule.unsafe', { why: OVERRIDE });
    return this.#ask(
      row,
      { what: 'apply', reason: how.reason ?? null, trialMinutes: how.trialMinutes },
      how,
      by,
    );
  }

  /** Throws what `apply` throws. */
  async override(on: OnDevice, body: z.output<typeof override>, by: ControlBy): Promise<DeviceSchedule> {
    const { now } = this.#options;
    const at = { ...on, path: body.setpoint };
    const setpoint = await this.#setpoint(at);
    if (setpoint.type === 'fixed') throw new AppError('schedule.setpoint_fixed', { path: at.path });
    const value = wordsOf(at.path, body.value);
    if (Date.parse(body.until) <= now()) throw new AppError('schedule.past');
    if (!this.#options.isOnline(at.device)) throw new AppError('device.offline');
    const entries = [{ path: at.path, datetime: new Date(now()).toISOString(), value }];
    const content = { name: value, description: body.reason, entries, until: new Date(body.until) };
    const row = await this.#insert(at, { ...content, origin: 'override', scheduleId: null }, by);
    try {
      return await this.#ask(row, { what: 'override', reason: body.reason, trialMinutes: null }, body, by);
    } catch (error) {
      await this.#options.store.remove(row.id);
      this.#options.book.tellRemoved(row);
      throw error;
    }
  }

  /** Throws `schedule.not_found` where nothing holds, and what `apply` throws. */
  async release(on: OnDevice, body: z.output<typeof release>, by: ControlBy): Promise<DeviceSchedule> {
    const { store } = this.#options;
    const setpoint = await this.#setpoint({ ...on, path: body.setpoint });
    const row = setpoint.currentId === null ? undefined : await store.byId(setpoint.currentId);
    if (!row) throw new AppError('schedule.not_found');
    return this.#ask(row, { what: 'release', reason: body.reason, trialMinutes: null }, body, by);
  }

  async #ask(
    found: DeviceScheduleRow,
    what: Omit<AskedFor, 'userId' | 'email'>,
    lone: { reason?: string | undefined; phrase?: string | undefined },
    by: ControlBy,
  ): Promise<DeviceSchedule> {
    const { book, isOnline, schedules } = this.#options;
    const at = atOf(found);
    if (!isOnline(at.device)) throw new AppError('device.offline');
    const known = await this.#setpoint(at);
    if (known.type === 'fixed') throw new AppError('schedule.setpoint_fixed', { path: at.path });
    const isStop = await this.#isStop(at, known, found, what);
    if (!isStop && what.what !== 'release') await this.#demandSafe(at, known, found);
    const needs = isStop ? 'nobody' : await schedules.needs(at.workgroup, by);
    if (needs === 'loneOwner') this.#demandAlone(lone);
    const asked: AskedFor = { ...what, userId: by.userId, email: by.email };
    const row = await book.alone(at, async () => {
      const before = await this.#find(at, found.id);
      // Whatever was judged has to be what is ordered.
      if (before.changedAt.getTime() !== found.changedAt.getTime()) throw new AppError('schedule.changed');
      await this.#demandRoom(at, before, isStop, by);
      const held = await book.holding(at, await this.#setpoint(at));
      const isStopNow = what.what !== 'release' && book.isStop(before, held);
      if (isStop !== isStopNow) throw new AppError('schedule.changed');
      const editors = {
        editors: withOne(before.editors, by.email),
        editorIds: withOne(before.editorIds, by.userId),
      };
      const own = await book.change(before.id, editors);
      const next =
        needs === 'secondPerson'
          ? await this.#wait(own, asked)
          : await book.order(at, own, held, {
              ...{ asked, asStop: isStop },
              approver: needs === 'loneOwner' ? by.email : null,
            });
      const texts = { action: what.what, newValue: `${textOf(next)} ${needs}`, oldValue: null };
      this.record(at, next.id, { ...texts, attribute: what.reason ?? at.path }, by);
      await book.tellSetpoint(at);
      return next;
    });
    if (needs === 'secondPerson') schedules.askApprovers(row, asked);
    if (needs === 'loneOwner') schedules.tellAlone(row, asked);
    return deviceScheduleOf(row);
  }

  /** Releases loosen; of all others the book knows. */
  async #isStop(at: At, setpoint: SetpointRow, row: DeviceScheduleRow, { what }: Pick<AskedFor, 'what'>) {
    if (what === 'release') return false;
    return this.#options.book.isStop(row, await this.#options.book.holding(at, setpoint));
  }

  async #demandSafe(at: At, setpoint: SetpointRow, row: DeviceScheduleRow): Promise<void> {
    const { problems, now } = this.#options;
    if (row.until && row.until.getTime() <= now()) throw new AppError('schedule.past');
    const found = await problems(at, setpoint, row);
    if (found.length === 0) return;
    const issues = found.map(({ part: path, blocks: _, ...rest }) => ({ path, ...rest })).slice(0, 50);
    throw new AppError('request.invalid', { what: issuesText(issues) }, issues);
  }

  #demandAlone({ reason, phrase }: { reason?: string | undefined; phrase?: string | undefined }): void {
    if (!reason || phrase !== LONE_PHRASE) throw new AppError('schedule.alone', { phrase: LONE_PHRASE });
  }

  /** Nothing else is under way on the setpoint; a stop ends what is. */
  async #demandRoom(at: At, row: DeviceScheduleRow, isStop: boolean, by: ControlBy): Promise<void> {
    const { store, book } = this.#options;
    const [pending, order] = [await store.pendingOf(at), await store.order(at)];
    if (!pending && !order) return;
    if (!isStop || row.state === 'pending') throw new AppError('schedule.pending');
    const why = `${by.email} stopped by hand.`;
    if (order?.takenAt) await book.applied(at, order, [], why);
    else if (order) await book.failed(at, order, why);
    else if (pending) await book.takeBack(pending, why);
  }

  async #wait(row: DeviceScheduleRow, asked: AskedFor): Promise<DeviceScheduleRow> {
    const { book, now } = this.#options;
    const approvableUntil = new Date(now() + APPROVAL_WAIT_MS);
    const waiting = { state: 'pending', step: 'approval', asked, approvableUntil } as const;
    // Whoever approves says what they saw, and each request is another one.
    const changedAt = laterThan(row.changedAt, now());
    return book.change(row.id, { ...waiting, approver: null, reason: asked.reason, changedAt });
  }

  /**
   * Throws `schedule.not_found`, `schedule.not_pending`, `schedule.changed`, `schedule.own`, and of an approval `session.not_fresh`, `device.offline`
   * and what keeps it from being applied.
   */
  async decide(
    on: OnDevice,
    id: string,
    { decision, reason, over }: z.output<typeof scheduleDecision>,
    by: ControlBy,
  ): Promise<DeviceSchedule> {
    const { book, stepUp, isOnline } = this.#options;
    const found = await this.#find(on, id);
    const at = atOf(found);
    this.#demandWaiting(found);
    if (over !== undefined && over !== found.changedAt.getTime()) throw new AppError('schedule.changed');
    const parts = partsOf(found);
    const isOwn = parts.includes(by.userId) || (await this.#madeOneOf(found.workgroup, parts, by));
    if (isOwn) throw new AppError('schedule.own');
    if (decision === 'approved') {
      if (!isOnline(at.device)) throw new AppError('device.offline');
      if (found.asked?.what !== 'release') await this.#demandSafe(at, await this.#setpoint(at), found);
      await stepUp.takeConfirmation(by.session);
    }
    const row = await book.alone(at, async () => {
      const before = await this.#find(on, id);
      const asked = this.#demandWaiting(before);
      const isSame =
        before.changedAt.getTime() === found.changedAt.getTime() && asked.userId === found.asked?.userId;
      if (!isSame) throw new AppError('schedule.not_pending');
      const setpoint = await this.#setpoint(at);
      const held: Holding = await book.holding(at, setpoint);
      const done =
        decision === 'approved'
          ? await book.order(at, before, held, { asked, approver: by.email })
          : await this.#refuse(at, before, held, asked, { by, reason });
      const action = decision === 'approved' ? 'approve' : 'refuse';
      this.record(at, id, { action, newValue: textOf(before), attribute: reason || at.path }, by);
      await book.tellSetpoint(at);
      return done;
    });
    return deviceScheduleOf(row);
  }

  async #refuse(
    at: At,
    row: DeviceScheduleRow,
    held: Holding,
    asked: AskedFor,
    { by, reason }: { by: ControlBy; reason: string },
  ): Promise<DeviceScheduleRow> {
    const { book } = this.#options;
    const why = reason ? `Refused by ${by.email}: ${reason}` : `Refused by ${by.email}.`;
    await book.refused(at, row, held, { asked, approver: by.email }, why);
    return book.takeBack(row, why);
  }

  #demandWaiting(row: DeviceScheduleRow): AskedFor {
    const { now } = this.#options;
    const isOpen =
      row.state === 'pending' && row.step === 'approval' && (row.approvableUntil?.getTime() ?? 0) > now();
    if (!isOpen || !row.asked) throw new AppError('schedule.not_pending');
    return row.asked;
  }

  /** Nobody approves what their own API token asked for. */
  #madeOneOf(workgroup: string, ids: readonly string[], by: ControlBy): Promise<boolean> {
    return this.#options.schedules.madeOneOf(workgroup, ids, by);
  }

  /** Throws `schedule.not_found`, `schedule.not_pending`. */
  async withdraw(on: OnDevice, id: string, by: ControlBy): Promise<DeviceSchedule> {
    const { book } = this.#options;
    const at = atOf(await this.#find(on, id));
    const row = await book.alone(at, async () => {
      const before = await this.#find(on, id);
      if (before.state !== 'pending' || before.step !== 'approval')
        throw new AppError('schedule.not_pending');
      const back = await book.takeBack(before, `Withdrawn by ${by.email}.`);
      this.record(at, id, { action: 'withdraw' }, by);
      await book.tellSetpoint(at);
      return back;
    });
    return deviceScheduleOf(row);
  }

  /** Throws `schedule.not_found`, `schedule.no_trial`, and what asking the device throws. */
  async confirm(on: OnDevice, id: string, by: ControlBy): Promise<DeviceSchedule> {
    const { store, book, sender, now } = this.#options;
    const at = atOf(await this.#find(on, id));
    const onTrial = async () => {
      const setpoint = await store.setpoint(at);
      const version = await store.version(at, setpoint?.currentVersion ?? null);
      const isOn = version?.deviceScheduleId === id && (version.trialUntil?.getTime() ?? 0) > now();
      if (!version || !isOn || (await store.order(at))) throw new AppError('schedule.no_trial');
      return version;
    };
    const version = await onTrial();
    await sender.ask(at, { ...orderOf(version), action: 'confirm', trialUntil: null });
    const row = await book.alone(at, async () => {
      const again = await store.version(at, version.version);
      const kept = again?.trialUntil ? await book.kept(at, again) : await this.#find(on, id);
      this.record(at, id, { action: 'confirm' }, by);
      return kept;
    });
    return deviceScheduleOf(row);
  }

  record(
    { workgroup, device }: OnDevice,
    entity: string,
    what: { action: string; attribute?: string; oldValue?: string | null; newValue?: string | null },
    by: Pick<ControlBy, 'email' | 'address'>,
  ): void {
    const { audit, now } = this.#options;
    const who = { by: by.email, address: by.address };
    audit.record({ workgroup, device, at: now(), controller: 'schedules', entity, ...what, ...who });
  }

  async #setpoint(at: At): Promise<SetpointRow> {
    const row = await this.#options.store.setpoint(at);
    if (!row) throw new AppError('schedule.setpoint_unknown', { path: at.path });
    return row;
  }

  async #find({ workgroup, device }: OnDevice, id: string): Promise<DeviceScheduleRow> {
    const row = await this.#options.store.find(workgroup, device, id);
    if (!row) throw new AppError('schedule.not_found');
    return row;
  }
}

const OVERRIDE = 'it was set by hand and is over. Set the value again.';

/** Who may not approve it: whoever wrote it, changed it or asked for it; of a release, whoever asked. */
const partsOf = ({ asked, editorIds }: DeviceScheduleRow): string[] =>
  asked?.what === 'release' ? [asked.userId] : editorIds;

/** Whether it said less than 100 % at some time while it held. */
function isLimited({ ordered, endsAt, sentAt, endedAt }: VersionRow, since: number, now: number): boolean {
  const from = Math.max(since, sentAt.getTime());
  const to = Math.min(now, endedAt?.getTime() ?? now);
  return changesWithin({ entries: ordered, endsAt }, from, to).some(
    (value) => value !== '' && value !== '100%',
  );
}

/** Two changes within a millisecond are still two. */
const laterThan = (before: Date, now: number): Date => new Date(Math.max(now, before.getTime() + 1));

const withOne = (list: readonly string[], one: string): string[] => [...new Set([...list, one])];

const contentOf = ({ setpoint, name, description, entries, until }: Written) => ({
  name: name ?? setpoint,
  description,
  entries,
  until: until === null ? null : new Date(until),
});

const textOf = ({
  name,
  setpoint,
  entries,
  until,
}: Pick<DeviceScheduleRow, 'name' | 'setpoint' | 'entries' | 'until'>) =>
  JSON.stringify({ name, setpoint, until, entries: entries.map(plain) });
const plain = ({ datetime, value }: ScheduleEntry) => ({ datetime, value });

/** Throws `request.invalid` of `value`. */
function wordsOf(path: string, given: string | number): string {
  try {
    const value = keptSetpoint(kindOfPath(path), given);
    if (value !== '') return value;
    throw invalid('issue.required', {}, 'value');
  } catch (error) {
    if (!(error instanceof SetpointFault)) throw error;
    throw invalid(error.issue, { ...error.facts }, 'value');
  }
}
