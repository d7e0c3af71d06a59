import type {
  ChangedSearch,
  NewSearch,
  SavedSearch,
  SearchOverview,
} from '@albedo/contract/searches/searches.schema';
import { ALL_TIME, type SearchFilter } from '@albedo/contract/telemetry/search.schema';
import { WORKGROUP_LIMITS } from '@albedo/contract/workgroups/limits';
import type { DeviceScope } from '../access/device-scope.ts';
import type { Manager } from '../access/manager.ts';
import { mayChange, maySee } from '../access/owned.ts';
import type { Audit, AuditEntry } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { TellList } from '../sockets/lists.ts';
import type { SearchesStore, SearchRow } from './searches.store.ts';

export interface SearchesOptions {
  store: SearchesStore;
  audit: Audit;
  tell: TellList;
}

/** Who calls, and which devices exist for them. */
export interface SearchCaller {
  workgroup: string;
  by: Manager;
  scope: DeviceScope;
}

/** Who looks, at whatever time. */
export interface Viewer {
  workgroup: string;
  by: Pick<Manager, 'userId' | 'scope'>;
  scope: DeviceScope;
}

/** Something that happened to a search or to its mails. */
export type SearchEvent = Pick<AuditEntry, 'action' | 'attribute' | 'oldValue' | 'newValue'>;

/**
 * Searches that people keep. A shared one says what is looked for and holds no data: whoever runs it sees what they may
 * see. One that filters by a device outside the caller's scope does not exist for them.
 */
export class Searches {
  readonly #options: SearchesOptions;

  constructor(options: SearchesOptions) {
    this.#options = options;
  }

  async list({ workgroup, by, scope }: SearchCaller): Promise<SavedSearch[]> {
    const rows = await this.#options.store.list(workgroup, by.userId);
    return rows.filter((row) => isWithin(row, scope)).map((row) => searchOf(row, by));
  }

  /** Throws `saved_search.not_found`. */
  async get(caller: SearchCaller, id: string): Promise<SavedSearch> {
    return searchOf(await this.visible(caller, id), caller.by);
  }

  /** Throws `saved_search.too_many`. */
  async create({ workgroup, by }: SearchCaller, wanted: NewSearch): Promise<SavedSearch> {
    const { store } = this.#options;
    const { searches: count } = WORKGROUP_LIMITS;
    if ((await store.count(workgroup)) >= count) throw new AppError('saved_search.too_many', { count });
    const row = await store.add(workgroup, by.userId, wanted);
    this.#changed(row, by, { action: 'create', newValue: textOf(row) });
    return searchOf(row, by);
  }

  /** Throws `saved_search.not_found`, `saved_search.of_another`, `history.not_newest`. */
  async update(caller: SearchCaller, id: string, wanted: ChangedSearch): Promise<SavedSearch> {
    const { workgroup, by } = caller;
    const before = await this.#changeable(caller, id);
    const row = await this.#options.store.set(workgroup, id, wanted);
    if (!row) {
      const { version } = await this.#changeable(caller, id);
      throw new AppError('history.not_newest', { yours: String(wanted.version), newest: version });
    }
    this.#changed(row, by, { action: 'update', oldValue: textOf(before), newValue: textOf(row) });
    return searchOf(row, by);
  }

  /** Throws as `update` does. */
  async remove(caller: SearchCaller, id: string): Promise<void> {
    await this.#changeable(caller, id);
    const row = still(await this.#options.store.remove(caller.workgroup, id));
    this.#changed(row, caller.by, { action: 'delete', oldValue: textOf(row) });
  }

  /** Shares it with the workgroup, or keeps it for its owner again. Throws as `update` does. */
  async share(caller: SearchCaller, id: string, isShared: boolean): Promise<SavedSearch> {
    const { workgroup, by } = caller;
    const before = await this.#changeable(caller, id);
    if (before.isShared === isShared) return searchOf(before, by);
    const row = still(await this.#options.store.setShared(workgroup, id, isShared));
    const change = { action: 'share', oldValue: visibility(before), newValue: visibility(row) };
    this.#changed(row, by, change, true);
    return searchOf(row, by);
  }

  /** All searches of the workgroup, as those see them who manage access. */
  overview(workgroup: string): Promise<SearchOverview[]> {
    return this.#options.store.overview(workgroup);
  }

  /** Deletes a search of anybody. Throws `saved_search.not_found`. */
  async removeAny({ workgroup, by }: SearchCaller, id: string): Promise<void> {
    const row = still(await this.#options.store.remove(workgroup, id));
    this.#changed(row, by, { action: 'delete', oldValue: textOf(row) }, true);
  }

  /** The search as it is kept, for whoever may see it. Throws `saved_search.not_found`. */
  async visible({ workgroup, by, scope }: Viewer, id: string): Promise<SearchRow> {
    const row = still(await this.#options.store.find(workgroup, id));
    if (!maySee(row, by) || !isWithin(row, scope)) throw new AppError('saved_search.not_found');
    return row;
  }

  /** A search of anybody. Throws `saved_search.not_found`. */
  async any(workgroup: string, id: string): Promise<SearchRow> {
    return still(await this.#options.store.find(workgroup, id));
  }

  /** Writes down who did what to a search; null is the system. */
  record(
    { workgroup, id, name }: SearchRow,
    by: Pick<Manager, 'email' | 'address'> | null,
    what: SearchEvent,
  ): void {
    const entry = { workgroup, at: Date.now(), controller: 'search', entity: `${name} (${id})` };
    const who = by === null ? { by: null } : { by: by.email, address: by.address };
    this.#options.audit.record({ ...entry, attribute: 'record', ...who, ...what });
  }

  async #changeable(caller: SearchCaller, id: string): Promise<SearchRow> {
    const row = await this.visible(caller, id);
    if (!mayChange(row, caller.by)) throw new AppError('saved_search.of_another');
    return row;
  }

  /** Others hear of what is or was shared, and of nothing personal. */
  #changed(row: SearchRow, by: Manager, what: SearchEvent, wasShared = row.isShared): void {
    this.record(row, by, what);
    if (row.isShared || wasShared) this.#options.tell('searches', row.workgroup);
  }
}

const isWithin = ({ content: { filters } }: SearchRow, scope: DeviceScope): boolean =>
  scope.isAll || filters.every((one) => isFilterWithin(one, scope));

function isFilterWithin(filter: SearchFilter, scope: DeviceScope): boolean {
  if ('filters' in filter) return filter.filters.every((one) => isFilterWithin(one, scope));
  return filter.field !== 'device' || [filter.value ?? []].flat().every((id) => scope.has(String(id)));
}

function still(row: SearchRow | undefined): SearchRow {
  if (!row) throw new AppError('saved_search.not_found');
  return row;
}

const searchOf = (row: SearchRow, by: Manager): SavedSearch => ({
  _id: row.id,
  name: row.name,
  version: row.version,
  ...row.content,
  timeframe: timeframeOf(row),
  filters: row.content.filters.map((filter) => ({ ...filter })),
  ...(row.isShared ? { orgRef: row.workgroup } : {}),
  shareable: mayChange(row, by),
  schedulable: row.content.csv.enabled,
});

/** One without ends was taken before it had to say that it means all time. */
const timeframeOf = ({ content: { timeframe } }: SearchRow) =>
  typeof timeframe === 'object' && timeframe.from === null && timeframe.to === null ? ALL_TIME : timeframe;

const textOf = ({ name, content }: SearchRow): string => JSON.stringify({ name, ...content });
const visibility = ({ isShared }: SearchRow): string => (isShared ? 'shared' : 'private');
