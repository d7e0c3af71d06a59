import { kindOfPath } from '@albedo/contract/schedules/schedules.names';
import type { InverterFollows } from '@albedo/contract/schedules/schedules.schema';
import type { schedulesEvents } from '@albedo/contract/schedules/schedules.socket';
import { whenHeld } from '@albedo/postgres/together';
import type { Audit } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { Teller } from '../sockets/teller.ts';
import type { At, ControlStore, DeviceScheduleRow, SetpointRow, VersionRow } from './control.store.ts';
import { deviceScheduleOf, deviceSetpointOf, isGood, lineOf, wholeLine } from './control-shapes.ts';
import type { AskedFor } from './schedules.tables.ts';
import { isStopOf, leaseFrom, overrideLine, type TimedValue, type Timeline } from './timeline.ts';

/** An order that could not be sent within this goes back to its author, ms. */
const SEND_WITHIN_MS = 2 * 60_000;
/** Inverters are looked at so long after something holds: soon where it could not be told, ms. */
export const LOOK_MS = { soon: 60_000, later: 5 * 60_000 } as const;

export interface BookOptions {
  store: ControlStore;
  audit: Audit;
  teller: Teller<typeof schedulesEvents>;
  /** Has what is under way on a setpoint looked at, once the transaction around it holds. */
  wake: (at: At, what: 'send' | 'confirm') => Promise<void>;
  now: () => number;
}

/** What holds on a setpoint, and what would come back after it. */
export interface Holding {
  setpoint: SetpointRow;
  version: VersionRow | undefined;
  /** What a value by hand lies over. */
  base: VersionRow | undefined;
  line: Timeline;
}

export interface Ordering {
  asked: AskedFor;
  approver: string | null;
  /** Nobody had to agree because it is a stop. */
  asStop?: boolean;
}

/**
 * The steps that a setpoint takes from one thing that holds to the next. Each of them is called inside `alone` of its
 * setpoint, looks at what is there, and writes all that follows from it together.
 */
export class ControlBook {
  readonly #options: BookOptions;

  constructor(options: BookOptions) {
    this.#options = options;
  }

  /** One after the other of all who change a setpoint. */
  alone<T>(at: At, task: () => Promise<T>): Promise<T> {
    return this.#options.store.alone(at, task);
  }

  async holding(at: At, setpoint: SetpointRow): Promise<Holding> {
    const version = await this.#options.store.version(at, setpoint.currentVersion);
    const base = await this.#baseOf(at, version);
    return { setpoint, version, base, line: wholeLine(version, lineOf(base)) };
  }

  /** What lies under a value by hand, as long as it would still hold something: never what nobody confirmed. */
  async #baseOf(at: At, version: VersionRow | undefined): Promise<VersionRow | undefined> {
    let under = version;
    while (under && isPassing(under)) under = await this.#options.store.version(at, under.before);
    return isGood(under, this.#options.now()) ? under : undefined;
  }

  /** Whether a schedule takes one person: it stops, and loosens nothing. */
  isStop(row: DeviceScheduleRow, held: Holding): boolean {
    const now = this.#options.now();
    // A value by hand ends a trial, and what comes back after it is what the trial would have given back.
    const isOverTrial = row.origin === 'override' && held.version !== undefined && isOnTrial(held.version);
    const before = isOverTrial ? lineOf(held.base) : held.line;
    return isStopOf(kindOfPath(row.setpoint), before, this.#lineWith(row, held), now);
  }

  #lineWith(row: DeviceScheduleRow, { base }: Holding): Timeline {
    return wholeLine(row, lineOf(base));
  }

  /** Turns a request into an order. The order is sent once it is stored. */
  async order(at: At, row: DeviceScheduleRow, held: Holding, by: Ordering): Promise<DeviceScheduleRow> {
    const { asked, approver } = by;
    const isStop = asked.what !== 'release' && this.isStop(row, held);
    if (by.asStop && !isStop) throw new AppError('schedule.changed');
    const who = { author: asked.email, approver, reason: asked.reason, isStop };
    const trialUntil =
      asked.trialMinutes === null ? null : new Date(this.#options.now() + asked.trialMinutes * 60_000);
    if (asked.what !== 'release') await this.#add(at, this.#orderOf(row, held), { ...who, trialUntil });
    // What lies under a value by hand comes back with its end.
    else if (held.version?.origin === 'override' && held.base)
      await this.#add(at, this.#again(held.base, held, undefined), { ...who, trialUntil });
    else
      await this.#add(at, nothingOf(row.id, row.name, held.setpoint.currentVersion), { ...who, trialUntil });
    const set = { state: 'pending', step: 'sending', asked, approver, approvableUntil: null } as const;
    return this.#set(row.id, { ...set, reason: null, inverters: [] });
  }

  /** Keeps what the second person refused, as a version that nobody sent. */
  async refused(at: At, row: DeviceScheduleRow, held: Holding, by: Ordering, why: string): Promise<void> {
    const { store, now } = this.#options;
    const { asked, approver } = by;
    const order =
      asked.what === 'release'
        ? nothingOf(row.id, row.name, held.setpoint.currentVersion)
        : this.#orderOf(row, held);
    const endedAt = new Date(now());
    await store.addVersion({
      ...{ workgroup: at.workgroup, deviceId: at.device, setpoint: at.path, ...order },
      ...{ author: asked.email, approver, reason: asked.reason, isStop: false },
      ...{ outcome: 'refused', why, sentAt: endedAt, endedAt },
    });
  }

  #orderOf(row: DeviceScheduleRow, held: Holding): Order {
    const of = { id: row.id, name: row.name, origin: row.origin, entries: row.entries, until: row.until };
    return this.#ordered(of, held.base, held.setpoint.currentVersion);
  }

  /** A version once more, under a number of its own. */
  #again(version: VersionRow, held: Pick<Holding, 'setpoint'>, base: VersionRow | undefined): Order {
    const { deviceScheduleId: id, name, origin, entries, until } = version;
    return this.#ordered({ id, name, origin, entries, until }, base, held.setpoint.currentVersion);
  }

  #ordered(of: Of, base: VersionRow | undefined, before: number | null): Order {
    const { id, ...rest } = of;
    const line = { entries: of.entries, endsAt: of.until?.getTime() ?? null };
    const { entries, endsAt } = of.origin === 'override' ? this.lease(of, base) : line;
    return { ...rest, deviceScheduleId: id, ordered: plainOf(entries), endsAt, before };
  }

  /** What an override orders when its lease begins now. */
  lease(of: Pick<Of, 'entries' | 'until'>, base: VersionRow | undefined): Timeline & { leaseUntil: number } {
    const [entry] = of.entries;
    if (!entry || !of.until) throw new Error('A value by hand has one entry and an end.');
    const leaseUntil = leaseFrom(this.#options.now(), of.until.getTime());
    const from = Date.parse(entry.datetime);
    return { ...overrideLine(lineOf(base), { value: entry.value, from, leaseUntil }), leaseUntil };
  }

  async #add(
    at: At,
    order: Order,
    more: { author: string | null; approver: string | null; reason: string | null; isStop: boolean } & {
      trialUntil?: Date | null;
      isRevert?: boolean;
    },
  ): Promise<VersionRow> {
    const now = this.#options.now();
    const row = await this.#options.store.addVersion({
      ...{ workgroup: at.workgroup, deviceId: at.device, setpoint: at.path, outcome: 'pending' },
      ...order,
      ...more,
      sentAt: new Date(now),
      sendBy: new Date(now + SEND_WITHIN_MS),
    });
    await this.#options.wake(at, 'send');
    return row;
  }

  /** The device has the file: it is seen what inverters make of it. */
  async taken(at: At, order: VersionRow): Promise<void> {
    const { store, now, wake } = this.#options;
    await store.setVersion(order, { takenAt: new Date(now()) });
    const pending = await store.pendingOf(at);
    if (pending && !order.isRevert) await this.#set(pending.id, { step: 'confirming', reason: null });
    await wake(at, 'confirm');
  }

  /** It holds; `note` says what could not be told. */
  async applied(at: At, order: VersionRow, inverters: InverterFollows[], note: string | null): Promise<void> {
    const { store, now } = this.#options;
    const setpoint = await store.setpoint(at);
    if (!setpoint) return;
    const held = await this.holding(at, setpoint);
    const pending = await store.pendingOf(at);
    const isRelease = order.origin === 'release';
    await store.setVersion(order, { outcome: 'applied', endedAt: isRelease ? new Date(now()) : null });
    if (!order.isRevert) await this.#endWhatHeld(at, held, order, pending);
    else if (held.version?.deviceScheduleId === order.deviceScheduleId && held.version.outcome === 'applied')
      await this.#end(held.version, 'replaced', null);
    const leaseUntil = order.origin === 'override' ? this.#leaseOf(order) : null;
    await store.setSetpoint(at, {
      currentId: isRelease ? null : order.deviceScheduleId,
      currentVersion: isRelease ? null : order.version,
      leaseUntil,
      lookAt: isRelease ? null : new Date(now() + (note === null ? LOOK_MS.later : LOOK_MS.soon)),
    });
    if (!isRelease) await this.#holds(order, inverters, note);
    this.#record(at, order, isRelease ? 'release' : 'apply');
    await this.tellSetpoint(at);
  }

  #leaseOf(order: VersionRow): Date | null {
    const next = order.ordered[1];
    return new Date(next ? Date.parse(next.datetime) : (order.endsAt ?? 0));
  }

  async #holds(order: VersionRow, inverters: InverterFollows[], note: string | null): Promise<void> {
    const row = await this.#options.store.byId(order.deviceScheduleId);
    if (!row) return;
    const own = { author: row.author ? [row.author] : [], id: row.authorId ? [row.authorId] : [] };
    await this.#set(row.id, {
      ...{ state: 'applied', step: null, asked: null, reason: note, version: order.version, inverters },
      ...{ approver: order.approver, trialUntil: order.trialUntil, appliedAt: new Date(this.#options.now()) },
      ...(order.isRevert ? {} : { editors: own.author, editorIds: own.id }),
    });
  }

  /** Ends the versions that held, and says of their schedules what took their place. */
  async #endWhatHeld(
    at: At,
    { version: top }: Holding,
    order: VersionRow,
    pending: DeviceScheduleRow | undefined,
  ): Promise<void> {
    // What is on trial may give back what was there, and a value by hand lies over it.
    if (order.trialUntil) return;
    const chain = await this.#chain(at, top);
    const ended = order.origin === 'override' ? chain.filter(isPassing) : chain;
    const isReleased = pending?.asked?.what === 'release';
    const released = `Released by ${order.author}: ${order.reason}`;
    for (const version of ended) {
      if (version.version === order.version) continue;
      if (order.origin === 'override' && isOnTrial(version)) {
        await this.#end(version, 'reverted', NOT_KEPT);
        await this.rest(version.deviceScheduleId, NOT_KEPT);
        continue;
      }
      const isIt = isReleased && (order.origin === 'release' || version === top);
      await this.#end(version, isIt ? 'released' : 'replaced', isIt ? order.reason : null);
      if (version.deviceScheduleId !== order.deviceScheduleId || order.origin === 'release')
        await this.rest(version.deviceScheduleId, isIt ? released : `Replaced by ${order.name}.`);
    }
    if (isReleased && pending) await this.rest(pending.id, released);
  }

  /** What holds, and what would come back after it, and after that. */
  async #chain(at: At, top: VersionRow | undefined): Promise<VersionRow[]> {
    const chain: VersionRow[] = [];
    for (let version = top; version; ) {
      if (version.outcome === 'applied') chain.push(version);
      version = isPassing(version) ? await this.#options.store.version(at, version.before) : undefined;
    }
    return chain;
  }

  /** Schedules that hold on a setpoint, would come back there, or are under way. */
  async inUse(at: At, setpoint: SetpointRow): Promise<ReadonlySet<string>> {
    const { store } = this.#options;
    const order = await store.order(at);
    const held = await this.#chain(at, await store.version(at, setpoint.currentVersion));
    const under = await this.#chain(at, order);
    const ids = [...held, ...under, ...(order ? [order] : [])].map((version) => version.deviceScheduleId);
    return new Set([...ids, ...(setpoint.currentId === null ? [] : [setpoint.currentId])]);
  }

  async #end(version: VersionRow, outcome: VersionRow['outcome'], why: string | null): Promise<void> {
    const endedAt = new Date(this.#options.now());
    await this.#options.store.setVersion(version, { outcome, why, endedAt });
  }

  /** It holds no more, and is a draft. */
  async rest(id: string, reason: string | null): Promise<void> {
    const row = await this.#options.store.byId(id);
    if (row) await this.#set(id, { ...DRAFT, reason });
  }

  /** Back to where it was before somebody asked for something. */
  async takeBack(row: DeviceScheduleRow, reason: string | null): Promise<DeviceScheduleRow> {
    const { path, device } = { path: row.setpoint, device: row.deviceId };
    const setpoint = await this.#options.store.setpoint({ workgroup: row.workgroup, device, path });
    const isHeld = setpoint?.currentId === row.id && row.appliedAt !== null;
    const back = isHeld ? { ...DRAFT, state: 'applied' as const, appliedAt: row.appliedAt } : DRAFT;
    return this.#set(row.id, { ...back, trialUntil: row.trialUntil, reason });
  }

  /** It never held: what held goes on. */
  async failed(at: At, order: VersionRow, why: string): Promise<void> {
    const { store } = this.#options;
    await this.#end(order, 'failed', why);
    const pending = await store.pendingOf(at);
    if (pending) await this.takeBack(pending, why);
    this.#record(at, order, 'apply', why);
    await this.tellSetpoint(at);
  }

  /** The device has what is not followed: what held before is ordered again, or that nothing holds. */
  async revert(at: At, order: VersionRow, inverters: InverterFollows[], why: string): Promise<void> {
    const { store, now } = this.#options;
    const setpoint = await store.setpoint(at);
    if (!setpoint) return;
    const wasHeld = setpoint.currentVersion === order.version;
    await this.#end(order, wasHeld ? 'reverted' : 'failed', why);
    await this.rest(order.deviceScheduleId, why);
    await this.#set(order.deviceScheduleId, { inverters });
    const pending = await store.pendingOf(at);
    if (pending) await this.takeBack(pending, why);
    const before = await store.version(at, order.before);
    const isBack = isGood(before, now()) && !isOnTrial(before);
    const good = isBack ? before : await this.#baseOf(at, before);
    if (before && isOnTrial(before) && before.outcome === 'applied') {
      await this.#end(before, 'reverted', NOT_KEPT);
      await this.rest(
        before.deviceScheduleId,
        before.deviceScheduleId === order.deviceScheduleId ? why : NOT_KEPT,
      );
    }
    const base = good?.origin === 'override' ? await this.#baseOf(at, good) : undefined;
    const held = { setpoint: { ...setpoint, currentVersion: good?.version ?? null } };
    const back = good ? this.#again(good, held, base) : nothingOf(order.deviceScheduleId, order.name, null);
    await this.#add(at, back, { author: null, approver: null, reason: why, isStop: false, isRevert: true });
    this.#record(at, order, 'revert', why);
    await this.tellSetpoint(at);
  }

  /** A trial, a schedule or an override is over by itself; what was under it goes on. */
  async over(at: At, held: Holding, outcome: 'over' | 'reverted', why: string): Promise<void> {
    const { store, now } = this.#options;
    const { version } = held;
    if (!version) return;
    const before = outcome === 'reverted' ? await store.version(at, version.before) : undefined;
    const under = version.origin === 'override' ? held.base : before;
    const next = isGood(under, now()) ? under : undefined;
    await this.#end(version, outcome, why);
    await this.rest(version.deviceScheduleId, why);
    await store.setSetpoint(at, {
      currentId: next?.deviceScheduleId ?? null,
      currentVersion: next?.version ?? null,
      leaseUntil: next?.origin === 'override' ? this.#leaseOf(next) : null,
      lookAt: next ? new Date(now() + LOOK_MS.soon) : null,
    });
    this.#record(at, version, outcome === 'over' ? 'end' : 'revert', why);
    await this.tellSetpoint(at);
  }

  /** A file that no order of ours made lies on the device: it is what holds. */
  async found(at: At, held: Holding, entries: readonly TimedValue[]): Promise<void> {
    const { store, now } = this.#options;
    const foundAt = new Date(now());
    for (const version of await this.#chain(at, held.version)) {
      await this.#end(version, 'replaced', FOUND);
      await this.rest(version.deviceScheduleId, FOUND);
    }
    const own = entries.map(({ datetime, value }) => ({ path: at.path, datetime, value }));
    const place = { workgroup: at.workgroup, deviceId: at.device, setpoint: at.path };
    const row = await store.add({
      ...{ ...place, entries: own, name: at.path, description: '', origin: 'found', state: 'applied' },
      ...{ editors: [], editorIds: [], inverters: [], changedAt: foundAt, appliedAt: foundAt },
    });
    if (row === 'full' || row === 'gone') return;
    const version = await store.addVersion({
      ...{ ...place, deviceScheduleId: row.id, name: row.name, origin: 'found', entries: own },
      ...{
        ordered: plainOf(own),
        endsAt: null,
        isStop: false,
        outcome: 'applied',
        sentAt: foundAt,
        takenAt: foundAt,
      },
    });
    const current = { currentId: row.id, currentVersion: version.version, leaseUntil: null };
    await store.setSetpoint(at, { ...current, lookAt: new Date(now() + LOOK_MS.later) });
    this.tell(row);
    this.#record(at, version, 'find');
  }

  /** One of our versions lies on the device that we did not take for current: it is what holds. False where its schedule is gone. */
  async lies(at: At, held: Holding, ours: VersionRow): Promise<boolean> {
    const { store, now } = this.#options;
    const leaseUntil = ours.origin === 'override' ? this.#leaseOf(ours) : null;
    const isOver = !isGood(ours, now()) || (leaseUntil !== null && leaseUntil.getTime() <= now());
    // The clock ends what is over, and what nobody confirmed.
    const isGivenBack = held.version !== undefined && isOnTrial(held.version);
    if (isOver || (isGivenBack && held.version?.before === ours.version)) return true;
    const row = await store.byId(ours.deviceScheduleId);
    if (!row) return false;
    const under = new Set((await this.#chain(at, ours)).map(({ version }) => version));
    for (const version of await this.#chain(at, held.version)) {
      if (under.has(version.version)) continue;
      await this.#end(version, 'replaced', FOUND);
      if (version.deviceScheduleId !== row.id) await this.rest(version.deviceScheduleId, FOUND);
    }
    await store.setVersion(ours, { outcome: 'applied', why: null, endedAt: null });
    await store.setSetpoint(at, {
      ...{ currentId: row.id, currentVersion: ours.version, leaseUntil },
      lookAt: new Date(now() + LOOK_MS.soon),
    });
    // An edited one is a draft, and holds what it said before.
    if (row.state !== 'pending' && isSaid(row, ours)) await this.#holds(ours, [], FOUND);
    this.#record(at, ours, 'find');
    return true;
  }

  /** What was on trial stays; what it replaced is over. */
  async kept(at: At, version: VersionRow): Promise<DeviceScheduleRow> {
    const { store } = this.#options;
    for (const before of await this.#chain(at, await store.version(at, version.before))) {
      await this.#end(before, 'replaced', null);
      if (before.deviceScheduleId !== version.deviceScheduleId)
        await this.rest(before.deviceScheduleId, `Replaced by ${version.name}.`);
    }
    await store.setVersion(version, { trialUntil: null });
    return this.#set(version.deviceScheduleId, { trialUntil: null });
  }

  /** Changes a schedule and tells who may see it. */
  change(id: string, set: Parameters<ControlStore['set']>[1]): Promise<DeviceScheduleRow> {
    return this.#set(id, set);
  }

  async #set(id: string, set: Parameters<ControlStore['set']>[1]): Promise<DeviceScheduleRow> {
    const row = await this.#options.store.set(id, set);
    if (!row) throw new Error('The schedule is gone.');
    this.tell(row);
    return row;
  }

  tell(row: DeviceScheduleRow): void {
    whenHeld(() => this.#options.teller.emit(row.workgroup, 'deviceSchedule', deviceScheduleOf(row)));
  }

  tellRemoved({ id, deviceId, workgroup }: DeviceScheduleRow): void {
    const gone = { _id: id, deviceId, isRemoved: true } as const;
    whenHeld(() => this.#options.teller.emit(workgroup, 'deviceSchedule', gone));
  }

  async tellSetpoint(at: At): Promise<void> {
    const { store, teller } = this.#options;
    const [setpoint, pending] = [await store.setpoint(at), await store.pendingOf(at)];
    if (setpoint)
      whenHeld(() =>
        teller.emit(at.workgroup, 'deviceSetpoint', deviceSetpointOf(setpoint, pending?.id ?? null)),
      );
  }

  #record(at: At, order: VersionRow, action: string, why: string | null = null): void {
    const { audit, now } = this.#options;
    const text = { version: order.version, name: order.name, entries: order.entries, until: order.until };
    audit.record({
      ...{ workgroup: at.workgroup, device: at.device, at: now(), controller: 'schedules' },
      ...{ entity: 'device_schedule', attribute: at.path, action: `${action}_done` },
      ...{ newValue: JSON.stringify({ ...text, why }), by: null },
      status: why === null || action === 'end' ? 'success' : 'failed',
    });
  }
}

const NOT_KEPT = 'A value by hand took its place before anybody confirmed it.';
const FOUND = 'Something else was found on the device.';
const plainOf = (entries: readonly TimedValue[]): TimedValue[] =>
  entries.map(({ datetime, value }) => ({ datetime, value }));

const isOnTrial = ({ trialUntil }: VersionRow): boolean => trialUntil !== null;
/** What is there only for a time: something else comes back after it. */
const isPassing = (version: VersionRow): boolean => version.origin === 'override' || isOnTrial(version);

const isSaid = (row: DeviceScheduleRow, { entries, until }: VersionRow): boolean =>
  row.until?.getTime() === until?.getTime() &&
  JSON.stringify(plainOf(row.entries)) === JSON.stringify(plainOf(entries));

interface Of {
  id: string;
  name: string;
  origin: VersionRow['origin'];
  entries: VersionRow['entries'];
  until: Date | null;
}
type Order = Pick<
  VersionRow,
  'deviceScheduleId' | 'name' | 'origin' | 'entries' | 'until' | 'ordered' | 'endsAt' | 'before'
>;

/** That nothing holds any more. */
const nothingOf = (deviceScheduleId: string, name: string, before: number | null): Order => ({
  ...{
    deviceScheduleId,
    name,
    before,
    origin: 'release',
    entries: [],
    until: null,
    ordered: [],
    endsAt: null,
  },
});

/** Of what neither holds nor is asked for. */
const DRAFT = {
  state: 'draft',
  step: null,
  asked: null,
  approver: null,
  approvableUntil: null,
  trialUntil: null,
  appliedAt: null,
} as const;
