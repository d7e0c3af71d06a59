import { namesOfSources, sourceKey } from '@albedo/contract/entities/source-names';
import { readSite } from '@albedo/contract/plants/plant-site';
import type { Logger } from 'pino';
import { systemCaller } from '../access/system-caller.ts';
import type { Entities } from '../entities/entities.service.ts';
import type { FieldRoles } from '../field-roles/field-roles.service.ts';
import type { Health } from '../health/health.service.ts';
import type { Incidents, Opening, Subject, Turn } from '../incidents/incidents.service.ts';
import type { Arrival } from '../ingest/ingest.topics.ts';
import type { Plants } from '../plants/plants.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { SetpointSeen } from '../schedules/schedules.topics.ts';
import type { SecurityFound } from '../security-services/security-services.topics.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { Judges, judgeRows, StreamRows } from './alert-arrivals.ts';
import { AlertFailures, FAILED } from './alert-failures.ts';
import { type Round, readRound } from './alert-rounds.ts';
import { type Rule, ruleOf } from './alert-rules.ts';
import { type HasLabel, labelsIn } from './alert-scope.ts';
import { isWithin, type Place } from './alert-window.ts';
import type { AlertsStore } from './alerts.store.ts';
import type { Value } from './conditions.ts';
import { countEnergy } from './energy-at-risk.ts';
import { PlannedSuppressions } from './planned-suppressions.ts';
import { type Ruled, Rulings } from './rulings.ts';
import { TableRules } from './table-rules.ts';

const MINUTE_MS = 60_000;
/** After a start devices get so long to come back before one is said to be away. */
const RETURN_MS = 90_000;
/** An event is over when none came for so long, where the alert says nothing else. */
const EVENT_MINUTES = 60;
/** A limit is felt for so long after it: until power is back, and in what is found of whole days, ms. */
const CURTAILED_MS = { now: 15 * MINUTE_MS, days: 48 * 60 * MINUTE_MS } as const;

/** What a workgroup's alerts come to. */
interface Watch {
  rules: Rule[];
  /** Alerts that are judged row by row, by table. */
  byTable: Map<string, TableRules>;
  names: ReadonlyMap<string, string>;
}

export interface EngineOptions {
  store: AlertsStore;
  incidents: Incidents;
  telemetry: Telemetry;
  registry: DeviceRegistry;
  health: Health;
  entities: Entities;
  plants: Plants;
  roles: Pick<FieldRoles, 'inRollout'>;
  /** This process runs what is done once for all processes. */
  works: boolean;
  /** Done first in each round, by the process that works. */
  beforeRound?: () => Promise<void>;
  log: Logger;
  now?: () => number;
}

/**
 * Evaluates the alerts: those over rows as they arrive, all others once a minute with one question a table. What it finds
 * goes to the incidents, where one is open for an alert and a subject over all processes.
 *
 * The cloud's own absence counts for nobody: times begin again with the start, and what was open stays open.
 */
export class AlertEngine {
  readonly #options: EngineOptions;
  readonly #watches = new Map<string, Watch>();
  readonly #judges: Judges;
  readonly #rulings: Rulings;
  readonly #failures: AlertFailures;
  readonly #hasLabel: HasLabel;
  readonly #suppressions: PlannedSuppressions;
  readonly #places = new Map<string, { info: unknown; place: Place }>();
  /** When something of a device arrived last, by our clock. */
  readonly #arrivedAt = new Map<string, number>();
  #startedAt = 0;
  #timer: NodeJS.Timeout | null = null;
  #round: Promise<void> | null = null;
  #curtailed: (workgroup: string, since: number) => Promise<ReadonlySet<string>> = async () => new Set();

  constructor(options: EngineOptions) {
    const { incidents, log, registry } = options;
    this.#options = options;
    this.#hasLabel = labelsIn(registry);
    this.#suppressions = new PlannedSuppressions(this.#hasLabel);
    this.#failures = new AlertFailures(incidents);
    this.#judges = new Judges(({ workgroup, alert }, { key }) => {
      const open = incidents.openOf(workgroup, alert.id, key);
      return {
        isFiring: open !== undefined && open.condition !== 'clear',
        isUnknown: open?.condition === 'unknown',
      };
    });
    this.#rulings = new Rulings({
      incidents,
      log,
      isWatched: (workgroup) => this.#watches.has(workgroup),
      silencedFor: (workgroup, { alert }, subject) =>
        this.#suppressions.silencedFor(workgroup, alert.id, subject),
    });
  }

  async start(): Promise<void> {
    this.#startedAt = this.#now();
    for (const workgroup of await this.#options.store.workgroups())
      await this.load(workgroup).catch((err) =>
        this.#options.log.error({ err, workgroup }, 'the alerts of a workgroup could not be loaded'),
      );
    this.#timer = setInterval(() => void this.round(), MINUTE_MS).unref();
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#round;
    await this.#rulings.stop();
  }

  /** Resolves when all that was judged is written. */
  settled(): Promise<void> {
    return this.#rulings.settled();
  }

  /** Takes over what the alerts of a workgroup are now. */
  async load(workgroup: string): Promise<void> {
    const { store, entities } = this.#options;
    const [rows, planned, facts] = await Promise.all([
      store.list(workgroup),
      store.suppressions(workgroup),
      entities.allFacts(workgroup),
    ]);
    const before = new Map((this.#watches.get(workgroup)?.rules ?? []).map((rule) => [rule.alert.id, rule]));
    const rules = rows
      .filter(({ content }) => content.enabled)
      .map(({ id, content }) => ruleOf(workgroup, id, content, facts, this.#hasLabel));
    const byTable = new Map<string, TableRules>();
    for (const rule of rules) {
      const { kind, table, aggregate } = rule.content;
      if (table !== null && (kind === 'event' || (kind === 'query' && !aggregate))) {
        const own = byTable.get(table) ?? new TableRules();
        byTable.set(table, own);
        own.add(rule);
      }
    }
    const changed = new Set(
      rules.flatMap(({ alert, key }) => {
        const old = before.get(alert.id);
        return old && old.key !== key ? [alert.id] : [];
      }),
    );
    const gone = [...before.keys()].filter((id) => !rules.some(({ alert }) => alert.id === id));
    this.#judges.forget(new Set([...changed, ...gone]));
    this.#judges.renew(new Map(rules.map((rule) => [rule.alert.id, rule])));
    for (const id of changed) this.#failures.forget(id);
    this.#watches.set(workgroup, { rules, byTable, names: namesOfSources(facts.values()) });
    const plans = planned.map(({ content }) => content);
    this.#suppressions.set(workgroup, plans, facts, this.#now());
    this.adopt(workgroup);
    await this.#closeWhatIsOver(workgroup, rules, new Set(rows.map(({ id }) => id)), changed);
  }

  /** Incidents that are open have a judge, so that what arrives can clear them. */
  adopt(workgroup: string): void {
    const rules = new Map(this.#watches.get(workgroup)?.rules.map((rule) => [rule.alert.id, rule]));
    for (const row of this.#options.incidents.openIn(workgroup)) {
      const rule = rules.get(row.alert);
      if (rule && row.subjectKey !== FAILED && row.condition !== 'clear')
        this.#judges.of(rule, row.subjectKey, () => subjectOf(row));
    }
  }

  forget(workgroup: string): void {
    this.#judges.forget(new Set(this.#watches.get(workgroup)?.rules.map(({ alert }) => alert.id)));
    this.#watches.delete(workgroup);
    this.#suppressions.forget(workgroup);
  }

  async forgetDevice(workgroup: string, device: string): Promise<void> {
    this.#judges.forgetDevice(device);
    this.#arrivedAt.delete(device);
    this.#places.delete(device);
    const { incidents } = this.#options;
    const ids = incidents
      .openIn(workgroup)
      .filter((row) => row.device === device)
      .map(({ id }) => id);
    await incidents.close(workgroup, ids, 'deviceGone');
  }

  /** New events of a device, before they are stored. */
  arrived({ workgroup, device, streams }: Arrival): void {
    const now = this.#now();
    this.#arrivedAt.set(device, now);
    const watch = this.#watches.get(workgroup);
    if (!watch || watch.byTable.size === 0) return;
    const all: Ruled[] = [];
    const place = () => this.#placeOf(device);
    for (const stream of streams) {
      const rules = watch.byTable.get(stream.table);
      if (!rules) continue;
      const { table, source } = stream;
      const rows = new StreamRows(device, stream);
      const of = { place, now, subjectOf: () => this.#subject(watch, device, table, source) };
      for (const rule of rules.of(device, source)) {
        const { ruled, late } = judgeRows(rule, this.#judges, rows, of);
        for (const one of ruled) all.push(one);
        if (late > 0) this.#recordLate(workgroup, rule, rows.key, stream.rows[0]?.[1] ?? now, late);
      }
    }
    this.#rulings.take(workgroup, all);
  }

  /** A scan found something new. Of a first scan everything is, so it says nothing. */
  async network({ workgroup, device, at, isFirst, findings }: SecurityFound): Promise<void> {
    const rules = this.#watches.get(workgroup)?.rules ?? [];
    if (isFirst || !this.#options.works) return;
    const own = rules.filter(({ content, inScope: has }) => content.kind === 'network' && has(device, null));
    const openings = own.flatMap((rule) =>
      findings.map(({ key, description, addresses }): Opening => {
        const name = [description || key, ...addresses.slice(0, 1)].join(' ');
        const subject: Subject = { key: `${device} ${key}`, device, table: null, source: null, name };
        return {
          alert: rule.alert,
          subject,
          at,
          since: at,
          silenced: this.#suppressions.silencedFor(workgroup, rule.alert.id, subject),
          reading: { field: null, value: key, units: null, limit: null },
        };
      }),
    );
    if (openings.length > 0) await this.#options.incidents.open(workgroup, openings);
  }

  /** Inverters were looked at: what they do not follow, and who else writes to them. */
  async control({ workgroup, device, path, inverters }: SetpointSeen): Promise<void> {
    const rules = this.#watches.get(workgroup)?.rules ?? [];
    const own = rules.filter(({ content, inScope: has }) => content.kind === 'control' && has(device, null));
    const openings: Opening[] = [];
    const turns: Turn[] = [];
    for (const rule of own)
      for (const { finding, holds, inverter, at } of controlFindings(inverters)) {
        if (!rule.content.findings.includes(finding)) continue;
        const key = `${device} ${path} ${inverter.name} ${finding}`;
        const open = this.#options.incidents.openOf(workgroup, rule.alert.id, key);
        if (!holds && open?.condition === 'active') turns.push({ id: open.id, to: 'clear', at });
        if (holds && open && open.condition !== 'active') turns.push({ id: open.id, to: 'active', at });
        if (!holds || open) continue;
        const subject: Subject = { key, device, table: null, source: null, name: inverter.name };
        const silenced = this.#suppressions.silencedFor(workgroup, rule.alert.id, subject);
        const reading = { field: null, value: inverter.why || path, units: null, limit: null };
        openings.push({ alert: rule.alert, subject, at, since: at, silenced, finding, reading });
      }
    if (turns.length > 0) await this.#options.incidents.turn(workgroup, turns);
    if (openings.length > 0) await this.#options.incidents.open(workgroup, openings);
  }

  /** Says which devices were told to give less at some time since an instant: what they lack is no fault of theirs. */
  followCurtailment(of: (workgroup: string, since: number) => Promise<ReadonlySet<string>>): void {
    this.#curtailed = of;
  }

  /** One round over everything that the time or the store decides. */
  round(now = this.#now()): Promise<void> {
    this.#round ??= this.#everything(now)
      .catch((err) => this.#options.log.error({ err }, 'a round of the alerts failed'))
      .finally(() => {
        this.#round = null;
      });
    return this.#round;
  }

  async #everything(now: number): Promise<void> {
    if (this.#options.works) await this.#options.beforeRound?.();
    for (const { judge, rule, subject } of this.#judges.all()) {
      const workgroup = subject.device && this.#options.registry.known(subject.device)?.workgroup;
      if (!workgroup) continue;
      const rulings = judge.tick(now - rule.delayMs);
      this.#rulings.take(
        workgroup,
        rulings.map((ruling) => ({ rule, subject, ruling })),
      );
    }
    for (const [workgroup, watch] of this.#watches) {
      try {
        await this.#roundOf(workgroup, watch, now);
      } catch (err) {
        // What one workgroup has wrong keeps nobody else from being told.
        this.#options.log.error({ err, workgroup }, 'a round of the alerts of a workgroup failed');
      }
    }
    if (this.#options.works) await this.#options.incidents.settle(now);
  }

  async #roundOf(workgroup: string, watch: Watch, now: number): Promise<void> {
    this.#endEvents(workgroup, watch, now);
    if (!this.#options.works) return;
    this.#offline(workgroup, watch, now);
    await this.#findings(workgroup, watch, now);
    await this.#tables(workgroup, watch, now);
    await this.#rulings.settled(workgroup);
    // Plans begin and end: what leaves one is told.
    this.#suppressions.refresh(workgroup, now);
    const changes = this.#suppressions.changes(workgroup, this.#options.incidents.openIn(workgroup));
    if (changes.size > 0) await this.#options.incidents.silence(workgroup, changes);
    await countEnergy(this.#options, workgroup, now);
  }

  /** Devices that are away without a break. Data of the same millisecond, or later, says that one is there. */
  #offline(workgroup: string, watch: Watch, now: number): void {
    const rules = watch.rules.filter(({ content }) => content.kind === 'offline');
    if (rules.length === 0 || now < this.#startedAt + RETURN_MS) return;
    const { registry, health } = this.#options;
    for (const { id, quarantine } of registry.inWorkgroup(workgroup)) {
      const { online, stateChangedAt } = health.of(id);
      // What never was there is waiting, and what may not come is locked out.
      if (stateChangedAt === null || quarantine) continue;
      const isAway = !online && (this.#arrivedAt.get(id) ?? 0) < stateChangedAt;
      for (const rule of rules.filter((one) => one.inScope(id, null))) {
        const subject = this.#subject(watch, id, null, null);
        const isLong = isAway && now - stateChangedAt >= rule.durations.forMs;
        const minutes = Math.round((now - stateChangedAt) / MINUTE_MS);
        this.#say(workgroup, rule, subject, {
          holds: isAway ? isLong || null : false,
          at: now,
          since: stateChangedAt,
          value: minutes,
        });
      }
    }
  }

  /** What the product itself finds of plants. */
  async #findings(workgroup: string, watch: Watch, now: number): Promise<void> {
    const rules = watch.rules.filter(({ content }) => content.kind === 'finding');
    if (rules.length === 0) return;
    const list = await this.#options.plants.list(systemCaller(workgroup)).catch(() => null);
    const curtailed = await this.#curtailedOf(workgroup, now);
    for (const rule of rules) {
      if (!list) {
        await this.#failures.note(workgroup, rule, 'The store of measurements did not answer.', now);
        continue;
      }
      await this.#failures.end(workgroup, rule, now);
      const found = new Map<
        string,
        { device: string; source: string | null; finding: string; since: number | null; value: Value }
      >();
      for (const { device, findings } of list.plants)
        for (const { kind, source, since, percent } of findings)
          if (
            !curtailed[kind]?.has(device) &&
            rule.content.findings.includes(kind) &&
            rule.inScope(device, source)
          )
            found.set(`${device} ${source ?? ''}`, { device, source, finding: kind, since, value: percent });
      const known = new Set(list.plants.map(({ device }) => device));
      const isNew = [...found.keys()].some((key) => !this.#judges.about(key)?.has(rule.alert.id));
      const signals = isNew ? await this.#powerOf(workgroup) : null;
      for (const [key, { device, source, finding, since, value }] of found) {
        const signal = signals?.get(key);
        const table = signal?.table ?? null;
        const judged = this.#judges.of(rule, key, () => this.#subject(watch, device, table, source, key));
        this.#observe(workgroup, judged, { now, holds: true, value, finding, since, field: signal?.field });
      }
      for (const judged of this.#judges.all()) {
        const { device, key } = judged.subject;
        if (judged.rule.alert.id !== rule.alert.id || found.has(key)) continue;
        // Of a plant that is not listed nothing is known, nor in the dark: an inverter that stands is not mended by the night.
        const isDark = !isWithin({ kind: 'sun' }, now, this.#placeOf(device));
        const isMeant = device !== null && Object.values(curtailed).some((those) => those.has(device));
        const holds = device !== null && known.has(device) && !isDark && !isMeant ? false : null;
        this.#observe(workgroup, judged, { now, holds, value: null, finding: null, since: null });
      }
    }
  }

  /** Devices whose lack of power was meant, by what would be found of them. */
  async #curtailedOf(workgroup: string, now: number): Promise<Record<string, ReadonlySet<string>>> {
    const [below, standing] = await Promise.all([
      this.#curtailed(workgroup, now - CURTAILED_MS.days),
      this.#curtailed(workgroup, now - CURTAILED_MS.now),
    ]);
    return { below, standing };
  }

  #observe(
    workgroup: string,
    { judge, rule, subject }: { judge: ReturnType<Judges['of']>['judge']; rule: Rule; subject: Subject },
    of: {
      now: number;
      holds: boolean | null;
      value: Value;
      finding: string | null;
      since: number | null;
      field?: string | undefined;
    },
  ): void {
    const { now, value, finding, since, field = null } = of;
    const isOut =
      of.holds === true &&
      !judge.isFiring &&
      !isWithin(rule.content.window, now, this.#placeOf(subject.device));
    const rulings = judge.observe(now, isOut ? false : of.holds, value);
    if (rulings === 'late') return;
    this.#rulings.take(
      workgroup,
      rulings.map((ruling) => ({
        rule,
        subject,
        finding,
        field,
        units: finding === 'below' ? '%' : null,
        ruling:
          ruling.kind === 'fire' && since !== null
            ? { ...ruling, since: Math.min(ruling.since, since) }
            : ruling,
      })),
    );
  }

  /** Where the power of each inverter stands, by device and source: the signal of what is found of it. */
  async #powerOf(workgroup: string): Promise<Map<string, { table: string; field: string }>> {
    const latest = await this.#options.roles.inRollout(workgroup);
    return new Map(
      latest.flatMap(({ device, table, source, kind, places }) => {
        const field = (places.acPower ?? places.dcPower)?.field;
        return kind === 'inverter' && field ? [[`${device} ${source}`, { table, field }]] : [];
      }),
    );
  }

  /** One question a table for all alerts that need the store. */
  async #tables(workgroup: string, watch: Watch, now: number): Promise<void> {
    const rules = watch.rules.filter(
      ({ content: { kind, aggregate } }) =>
        kind === 'absent' || kind === 'stuck' || kind === 'deviation' || (kind === 'query' && aggregate),
    );
    if (rules.length === 0) return;
    const reader = this.#options.telemetry.asSystem('alerts', workgroup);
    for (const [table, own] of Map.groupBy(rules, ({ content }) => content.table ?? ''))
      for (const round of await readRound(reader, table, own, now))
        await this.#takeRound(workgroup, watch, table, round, now);
  }

  async #takeRound(workgroup: string, watch: Watch, table: string, round: Round, now: number): Promise<void> {
    const { rule } = round;
    if ('error' in round) return this.#failures.note(workgroup, rule, round.error, now);
    const isAbsent = rule.content.kind === 'absent';
    const isDeviation = rule.content.kind === 'deviation';
    const curtailed = isDeviation ? await this.#curtailed(workgroup, now - CURTAILED_MS.now) : new Set();
    for (const { device, source, holds: isFound, value, limit, since } of round.readings) {
      const holds = curtailed.has(device) ? null : isFound;
      const key = `${device} ${source}`;
      const subject = () => this.#subject(watch, device, table, source);
      if (isAbsent) {
        // Nothing is said of a device that is away: its own alert says it. Nor of the time in which we were.
        const isThere = this.#options.health.of(device).online;
        const isOurs = now - this.#startedAt < rule.durations.forMs;
        const isKnown = !holds || (isThere && !isOurs);
        this.#say(workgroup, rule, subject(), {
          holds: isKnown ? holds : null,
          at: now,
          since: since ?? now,
          value,
        });
        continue;
      }
      const { judge, subject: judgedSubject } = this.#judges.of(rule, key, subject);
      const isOut =
        holds === true && !judge.isFiring && !isWithin(rule.content.window, now, this.#placeOf(device));
      const said = judge.observe(now, isOut ? false : holds, value);
      if (said !== 'late')
        this.#rulings.take(
          workgroup,
          said.map((ruling) => ({ rule, subject: judgedSubject, ruling, limit })),
        );
      if (judge.isIdle) this.#judges.drop(rule, key);
    }
    await this.#failures.end(workgroup, rule, now);
  }

  /** Opens or clears by what is so at this moment; null leaves it as it is. */
  #say(
    workgroup: string,
    rule: Rule,
    subject: Subject,
    { holds, at, since, value }: { holds: boolean | null; at: number; since: number; value: Value },
  ): void {
    const open = this.#options.incidents.openOf(workgroup, rule.alert.id, subject.key);
    const isOpen = open !== undefined && open.condition !== 'clear';
    if (holds === true && !isOpen && isWithin(rule.content.window, at, this.#placeOf(subject.device)))
      this.#rulings.take(workgroup, [
        {
          rule,
          subject,
          ruling: { kind: 'fire', at, since, value },
          limit: rule.content.forMinutes,
          units: 'min',
        },
      ]);
    else if (holds === false && isOpen)
      this.#rulings.take(workgroup, [{ rule, subject, ruling: { kind: 'return', at, value } }]);
    else if (holds !== false && open?.condition === 'unknown')
      this.#rulings.take(workgroup, [{ rule, subject, ruling: { kind: 'known', at, value } }]);
  }

  /** Events are over when none came for a while. */
  #endEvents(workgroup: string, { rules }: Watch, now: number): void {
    const events = new Map(
      rules.flatMap((rule) =>
        rule.content.kind === 'event' || rule.content.kind === 'network' ? [[rule.alert.id, rule]] : [],
      ),
    );
    if (events.size === 0) return;
    for (const row of this.#options.incidents.openIn(workgroup)) {
      const rule = events.get(row.alert);
      if (!rule || row.condition !== 'active') continue;
      // What is new in a network stays until somebody says that they know.
      if (rule.content.kind === 'network') {
        if (row.acknowledged.length > 0)
          this.#rulings.take(workgroup, [
            { rule, subject: subjectOf(row), ruling: { kind: 'return', at: now, value: null } },
          ]);
        continue;
      }
      const subject = subjectOf(row);
      const { judge } = this.#judges.of(rule, row.subjectKey, () => subject);
      const seenAt = Number.isFinite(judge.lastAt) ? judge.lastAt : 0;
      const lastAt = Math.max(row.changedAt.getTime(), this.#startedAt, seenAt);
      const clearMs = (rule.content.clearMinutes || EVENT_MINUTES) * MINUTE_MS;
      if (now - lastAt < clearMs) continue;
      this.#judges.drop(rule, row.subjectKey);
      this.#rulings.take(workgroup, [{ rule, subject, ruling: { kind: 'return', at: now, value: null } }]);
    }
  }

  #recordLate(workgroup: string, { alert }: Rule, key: string, at: number, count: number): void {
    const { incidents, log } = this.#options;
    const open = incidents.openOf(workgroup, alert.id, key);
    if (!open) {
      log.info({ alert: alert.name, rows: count }, 'late rows would have fired an alert');
      return;
    }
    void incidents
      .late(workgroup, open.id, at, count)
      .catch((err) => log.warn({ err }, 'a late row could not be noted'));
  }

  /** Incidents of alerts that are gone, switched off, or about something else by now. */
  async #closeWhatIsOver(
    workgroup: string,
    rules: readonly Rule[],
    all: ReadonlySet<string>,
    changed: ReadonlySet<string>,
  ): Promise<void> {
    const { incidents } = this.#options;
    const byId = new Map(rules.map((rule) => [rule.alert.id, rule]));
    const closing = {
      ruleDeleted: [] as string[],
      ruleDisabled: [] as string[],
      ruleChanged: [] as string[],
    };
    for (const row of incidents.openIn(workgroup)) {
      const rule = byId.get(row.alert);
      if (!rule) closing[all.has(row.alert) ? 'ruleDisabled' : 'ruleDeleted'].push(row.id);
      else if (
        rule.content.kind !== row.kind ||
        (row.device && !rule.inScope(row.device, row.source)) ||
        (row.subjectKey === FAILED && changed.has(row.alert))
      ) {
        closing.ruleChanged.push(row.id);
        this.#judges.drop(rule, row.subjectKey);
      }
    }
    for (const [reason, ids] of Object.entries(closing))
      await incidents.close(workgroup, ids, reason as keyof typeof closing);
  }

  #subject(watch: Watch, device: string, table: string | null, source: string | null, key?: string): Subject {
    const name =
      (source !== null && (watch.names.get(sourceKey(device, source)) ?? source)) ||
      (this.#options.registry.known(device)?.name ?? device);
    return { key: key ?? `${device} ${source ?? ''}`, device, table, source, name };
  }

  #placeOf(device: string | null): Place {
    const known = device === null ? null : this.#options.registry.known(device);
    if (!known) return NOWHERE;
    const kept = this.#places.get(known.id);
    if (kept?.info === known.info) return kept.place;
    const { latitudeDeg, longitudeDeg } = readSite(known.info);
    const place = { latitudeDeg, longitudeDeg };
    this.#places.set(known.id, { info: known.info, place });
    return place;
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
}

/** What was seen of each inverter. What cannot be told changes nothing. */
const controlFindings = (inverters: SetpointSeen['inverters']) =>
  inverters.flatMap((inverter) => {
    const { at, isForeign, result } = inverter;
    const foreign = { finding: 'foreignWrite' as const, holds: isForeign, inverter, at };
    const isTold = result !== 'notTestable';
    const followed = { finding: 'notFollowed' as const, holds: result === 'notFollowed', inverter, at };
    return isTold ? [foreign, followed] : isForeign ? [foreign] : [];
  });

const NOWHERE: Place = { latitudeDeg: null, longitudeDeg: null };

const subjectOf = (row: {
  subjectKey: string;
  device: string | null;
  table: string | null;
  source: string | null;
  subject: string;
}): Subject => ({
  key: row.subjectKey,
  device: row.device,
  table: row.table,
  source: row.source,
  name: row.subject,
});
