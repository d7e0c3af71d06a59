import type { Entity } from '@albedo/contract/entities/entities.schema';
import { KPI_LIMITS } from '@albedo/contract/kpis/kpi-limits';
import type {
  ChangedKpi,
  Kpi,
  KpiAnswer,
  KpiQuestion,
  KpiRows,
  KpiRowsQuestion,
  NewKpi,
} from '@albedo/contract/kpis/kpis.schema';
import { PRESETS, type Span } from '@albedo/contract/time/presets';
import { isTimeZone } from '@albedo/contract/time/zoned-time';
import type { Actor } from '../access/actor.ts';
import type { Caller } from '../access/caller.ts';
import type { Audit, AuditEntry } from '../audit/audit.service.ts';
import type { Entities } from '../entities/entities.service.ts';
import type { EntityStreams } from '../entities/entity-streams.service.ts';
import { AppError } from '../errors/app-error.ts';
import { invalid } from '../errors/request-issues.ts';
import { demandNewest, type History, type Save } from '../history/history.service.ts';
import type { TellList } from '../sockets/lists.ts';
import { type Telemetry, windowEdges } from '../telemetry/telemetry.service.ts';
import { dayOf, zoneIn } from './facts.ts';
import { checkKpi } from './kpi-definition.ts';
import { Evaluation } from './kpi-evaluation.ts';
import type { KpisStore } from './kpis.store.ts';

export { type CheckedKpi, checkKpi } from './kpi-definition.ts';
export { Evaluation } from './kpi-evaluation.ts';

export interface KpisOptions {
  store: KpisStore;
  entities: Pick<Entities, 'facts'>;
  entityStreams: Pick<EntityStreams, 'world'>;
  telemetry: Telemetry;
  audit: Audit;
  tell: TellList;
  history: Pick<History, 'keep' | 'saving'>;
}

/** Figures of entities, defined once for the workgroup and computed for any entity and range. */
export class Kpis {
  readonly #options: KpisOptions;

  constructor(options: KpisOptions) {
    this.#options = options;
  }

  list(workgroup: string): Promise<Kpi[]> {
    return this.#options.store.list(workgroup);
  }

  /** Throws `kpi.too_many`, `kpi.name_taken`, and `request.invalid` with the part at fault. */
  async create(workgroup: string, wanted: NewKpi, by: Actor | null, id?: string): Promise<Kpi> {
    const { store } = this.#options;
    const { kpis: count } = KPI_LIMITS;
    checkKpi(wanted);
    if ((await store.count(workgroup)) >= count) throw new AppError('kpi.too_many', { count });
    const kpi = await store.add(workgroup, wanted, id);
    if (!kpi) throw new AppError('kpi.name_taken', { name: wanted.name });
    await this.#keep(workgroup, by, saveOf(kpi));
    this.#changed(workgroup, kpi, by, { action: 'create', newValue: textOf(kpi) });
    return kpi;
  }

  /** Throws `kpi.not_found`, `kpi.name_taken`, `history.not_newest`, and `request.invalid` with the part at fault. */
  update(workgroup: string, id: string, wanted: ChangedKpi, by: Actor): Promise<Kpi> {
    checkKpi(wanted);
    const thing = { workgroup, kind: 'kpi', id } as const;
    return this.#options.history.saving(thing, () => this.#save(workgroup, id, wanted, by));
  }

  async #save(workgroup: string, id: string, { version, ...wanted }: ChangedKpi, by: Actor): Promise<Kpi> {
    const before = await this.#kpi(workgroup, id);
    demandNewest(version, before.version);
    const after = await this.#options.store.set(workgroup, id, wanted);
    if (after === undefined) throw new AppError('kpi.not_found');
    if (after === null) throw new AppError('kpi.name_taken', { name: wanted.name });
    const change = { oldValue: textOf(before), newValue: textOf(after) };
    await this.#keep(workgroup, by, { ...saveOf(after), before: saveOf(before) });
    this.#changed(workgroup, after, by, { action: 'update', ...change });
    return after;
  }

  /** Throws `kpi.not_found`. */
  async remove(workgroup: string, id: string, by: Actor): Promise<void> {
    const kpi = await this.#kpi(workgroup, id);
    if (!(await this.#options.store.remove(workgroup, id))) throw new AppError('kpi.not_found');
    await this.#keep(workgroup, by, { ...saveOf(kpi), content: null, before: saveOf(kpi) });
    this.#changed(workgroup, kpi, by, { action: 'delete', oldValue: textOf(kpi) });
  }

  /** Throws `kpi.not_found`, and what `evaluate` throws. */
  async ask(caller: Caller, id: string, question: KpiQuestion, signal?: AbortSignal): Promise<KpiAnswer> {
    return this.evaluate(caller, await this.#kpi(caller.workgroup, id), question, signal);
  }

  /**
   * The values of a KPI, over what the caller sees. Throws `entity.not_found`, `entity.strategy_unknown`, `kpi.too_much`,
   * `request.invalid`, `table.field_unknown`, `search.timed_out`, `search.too_much`.
   */
  async evaluate(
    caller: Caller,
    of: Pick<NewKpi, 'values'> & Partial<Pick<Kpi, 'version'>>,
    question: KpiQuestion,
    signal?: AbortSignal,
  ): Promise<KpiAnswer> {
    const kpi = checkKpi(of);
    const sight = await this.#sightOf(caller, signal);
    if (!sight.entities.has(question.entity)) throw new AppError('entity.not_found');
    const { zone, zoneFrom } = zoneOf(sight.entities, { ...question, to: question.to ?? sight.now });
    const range = rangeOf(question, zone, sight.now);
    const edges = windowEdges(range, question.interval, zone, KPI_LIMITS.intervals);
    if (!edges) throw new AppError('kpi.too_much', { max: String(KPI_LIMITS.intervals) });
    const at = [question.entity];
    const evaluation = new Evaluation({
      ...{ ...sight, kpi, at, edges, zone },
      question: { ...question, ...range },
    });
    await evaluation.read();
    return {
      version: of.version ?? 0,
      entity: question.entity,
      zone,
      zoneFrom,
      ...range,
      ...(question.interval === undefined ? {} : { starts: edges }),
      computedAt: sight.now,
      values: evaluation.answer(question.entity),
    };
  }

  /**
   * The values of a KPI for each of the entities that the caller sees, over what they see. Those of one clock are read
   * together. Throws what `ask` throws, but for an entity that is not there: it has no row.
   */
  async rows(caller: Caller, id: string, question: KpiRowsQuestion, signal?: AbortSignal): Promise<KpiRows> {
    const { version, values } = await this.#kpi(caller.workgroup, id);
    const kpi = checkKpi({ values });
    const sight = await this.#sightOf(caller, signal);
    const { entities: wanted, timezone, to = sight.now } = question;
    const seen = [...new Set(wanted)].filter((entity) => sight.entities.has(entity));
    const byZone = Map.groupBy(seen, (entity) => zoneOf(sight.entities, { entity, timezone, to }).zone);
    const rows = new Map<string, KpiRows['rows'][number]>();
    for (const [zone, at] of byZone) {
      const range = rangeOf(question, zone, sight.now);
      const evaluation = new Evaluation({
        ...{ ...sight, kpi, at, zone },
        edges: [range.from, range.to],
        question: { ...range, interval: undefined, detail: false },
      });
      await evaluation.read();
      for (const entity of at) rows.set(entity, { entity, zone, ...range, values: evaluation.cells(entity) });
    }
    return {
      ...{ version, computedAt: sight.now },
      columns: Object.fromEntries(
        Object.entries(values).map(([name, { displayName }]) => [
          name,
          { displayName, isPrimary: kpi.primary === name, units: kpi.units.get(name) ?? '' },
        ]),
      ),
      rows: seen.flatMap((entity) => rows.get(entity) ?? []),
    };
  }

  /** What the caller sees at this moment. */
  async #sightOf(caller: Caller, signal: AbortSignal | undefined) {
    const { entities, entityStreams, telemetry } = this.#options;
    const [facts, world] = await Promise.all([entities.facts(caller), entityStreams.world(caller, signal)]);
    return {
      entities: facts,
      world,
      reader: telemetry.for(caller),
      now: Date.now(),
      signal,
    };
  }

  async find(workgroup: string, id: string): Promise<Kpi | undefined> {
    return this.#options.store.find(workgroup, id);
  }

  #keep(workgroup: string, by: Actor | null, save: Save): Promise<void> {
    return this.#options.history.keep({ workgroup, kind: 'kpi', by }, [save]);
  }

  async #kpi(workgroup: string, id: string): Promise<Kpi> {
    const kpi = await this.#options.store.find(workgroup, id);
    if (!kpi) throw new AppError('kpi.not_found');
    return kpi;
  }

  #changed(
    workgroup: string,
    { _id, name }: Kpi,
    by: Actor | null,
    what: Pick<AuditEntry, 'action' | 'oldValue' | 'newValue'>,
  ): void {
    const entry = { workgroup, at: Date.now(), controller: 'kpi', entity: `${name} (${_id})` };
    const who = by ? { by: by.email, address: by.address } : {};
    this.#options.audit.record({ ...entry, attribute: 'record', ...who, ...what });
    this.#options.tell('kpis', workgroup);
  }
}

/** What a version keeps; values are a list, so that they keep their order. */
export const contentOf = ({ name, description, values }: NewKpi) => ({
  name,
  description,
  values: Object.entries(values),
});

const saveOf = (kpi: Kpi) => ({
  ...{ id: kpi._id, name: kpi.name, version: kpi.version },
  content: contentOf(kpi),
});

const textOf = ({ name, description, values }: Kpi): string => JSON.stringify({ name, description, values });

/** What a question asks about: its two instants, or its timeframe in the zone of the site, without what is still to come. */
function rangeOf(
  { from = 0, to = 0, timeframe }: Pick<KpiQuestion, 'from' | 'to' | 'timeframe'>,
  zone: string,
  now: number,
): Span {
  if (timeframe === undefined) return { from, to };
  const span = PRESETS[timeframe].span(now, zone);
  return { from: span.from, to: Math.max(span.from + 1, Math.min(span.to, now)) };
}

/** The zone in which days are cut: the entity's, that of the nearest above, the first below, or the one in the question. */
export function zoneOf(
  entities: ReadonlyMap<string, Entity>,
  { entity, to, timezone }: Pick<KpiQuestion, 'entity' | 'timezone'> & { to: number },
): Pick<KpiAnswer, 'zone' | 'zoneFrom'> {
  if (!isTimeZone(timezone)) throw invalid('issue.zone_unknown', { zone: timezone }, 'timezone');
  const day = dayOf(to - 1, timezone);
  const seen = new Set<string>();
  for (let at = entities.get(entity); at && !seen.has(at._id); at = entities.get(at.parent ?? '')) {
    const zone = zoneIn(at, day);
    if (zone !== null) return { zone, zoneFrom: at._id === entity ? 'entity' : 'above' };
    seen.add(at._id);
  }
  const below = [entity];
  const visited = new Set(below);
  for (const id of below) {
    const one = entities.get(id);
    const zone = one ? zoneIn(one, day) : null;
    if (zone !== null) return { zone, zoneFrom: 'below' };
    for (const child of one?.children ?? [])
      if (!visited.has(child)) {
        visited.add(child);
        below.push(child);
      }
  }
  return { zone: timezone, zoneFrom: 'question' };
}

/** Values by their names, and their order: a value that only moved is no other value. */
export function valuesByName<T extends { values: readonly (readonly [string, unknown])[] }>(content: T) {
  const { values, ...rest } = content;
  return { ...rest, values: Object.fromEntries(values), order: values.map(([name]) => name).join(', ') };
}
