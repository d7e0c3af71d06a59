import { AsyncLocalStorage } from 'node:async_hooks';
import {
  HISTORY_KINDS,
  type HistoryKind,
  KEPT_VERSIONS,
  type SavedChange,
  type SavedVersion,
  TOLD_CHANGES,
  type VersionChange,
} from '@albedo/contract/history/history.schema';
import { ADDONS } from '@albedo/contract/workgroups/addons.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { oneByOne, together, transactionNow } from '@albedo/postgres/together';
import diff from 'microdiff';
import type { Logger } from 'pino';
import type { Caller } from '../access/caller.ts';
import type { EnabledAddons } from '../access/enabled-addons.ts';
import { AppError } from '../errors/app-error.ts';
import type { HistoryStore, KeptSave, Save, Thing } from './history.store.ts';
import type { Content, Editor, Kind } from './kind.ts';

export { editorOf } from './editor.ts';
export type { Save } from './history.store.ts';
export type { Content, Editor, Kind, Names } from './kind.ts';
export { at } from './kind.ts';

/** Days for which what was deleted can be brought back. */
const DELETED_DAYS = 30;
const DAY_MS = 86_400_000;

export interface HistoryOptions {
  store: HistoryStore;
  postgres: Pick<Postgres, 'db'>;
  enabledAddons: Pick<EnabledAddons, 'has'>;
  log: Logger;
}

/** Every save of what has versions: who saved it, when, what it changed, and the way back. */
export class History {
  readonly #options: HistoryOptions;
  readonly #kinds = new Map<HistoryKind, Kind>();
  readonly #change = new AsyncLocalStorage<string>();

  constructor(options: HistoryOptions) {
    this.#options = options;
  }

  announce(kind: Kind): void {
    this.#kinds.set(kind.name, kind);
  }

  /** Every kind that the workgroup has, each after those that it names. */
  kinds(workgroup: string): Kind[] {
    return HISTORY_KINDS.flatMap((name) => this.#kinds.get(name) ?? []).filter(
      ({ addon }) => addon === undefined || this.#options.enabledAddons.has(workgroup, addon),
    );
  }

  /** Whatever is saved meanwhile belongs together, and can be undone as one. */
  asOne<T>(task: () => Promise<T>): Promise<T> {
    if (this.#change.getStore() !== undefined) return task();
    return this.#change.run(crypto.randomUUID(), task);
  }

  /**
   * Keeps saves. A save whose history cannot be written is still a save, unless it is one of several that are kept
   * together or not at all.
   */
  async keep(
    of: { workgroup: string; kind: HistoryKind; by: { email: string } | null },
    saves: readonly Save[],
  ): Promise<void> {
    const { store, log } = this.#options;
    const change = this.#change.getStore() ?? null;
    const { workgroup, kind, by } = of;
    await store.add({ workgroup, kind, by: by?.email ?? '', change }, saves, KEPT_VERSIONS).catch((err) => {
      if (transactionNow()) throw err;
      log.error({ err }, 'a version could not be kept');
    });
  }

  /**
   * A save of one thing: what is read inside is what is written over, and all that it leaves is kept with it or not at all.
   * Others of the same thing wait.
   */
  saving<T>({ workgroup, kind, id }: Thing, task: () => Promise<T>): Promise<T> {
    return oneByOne(this.#options.postgres, `${kind} ${workgroup} ${id}`, task);
  }

  /** All that the task writes is kept together, or nothing of it. */
  whole<T>(task: () => Promise<T>): Promise<T> {
    return this.#together(task);
  }

  /** The number of the next save of a thing: 1 unless there was one with its id. */
  next(thing: Thing): Promise<number> {
    return this.#options.store.next(thing);
  }

  /** What was deleted long ago is forgotten. */
  forgetDeleted(): Promise<void> {
    return this.#options.store.forgetDeleted(new Date(Date.now() - DELETED_DAYS * DAY_MS));
  }

  /** Throws what the kind demands. */
  async list(caller: Caller, of: Pick<Thing, 'kind' | 'id'>): Promise<SavedVersion[]> {
    const thing = await this.#thing(caller, of, 'view');
    return this.#options.store.list(thing);
  }

  /** Throws what the kind demands, and `history.not_found`. */
  async get(caller: Caller, of: Pick<Thing, 'kind' | 'id'>, version: number) {
    const thing = await this.#thing(caller, of, 'view');
    const [save, before] = await this.#pair(thing, version);
    const { name, by, at } = save;
    const isFirst = !before?.content || !save.content;
    const changes = isFirst
      ? null
      : differenceOf(this.#kind(caller.workgroup, of.kind), before.content, save.content);
    return {
      ...{ version, name, by, at },
      changes: changes?.slice(0, TOLD_CHANGES) ?? null,
      count: changes?.length ?? 0,
    };
  }

  /** Throws what the kind demands, what saving throws, and `history.not_found`. */
  async restore(editor: Editor, of: Pick<Thing, 'kind' | 'id'>, version: number): Promise<SavedVersion> {
    const thing = await this.#thing(editor, of, 'edit');
    const [{ content }] = await this.#pair(thing, version);
    if (!content) throw new AppError('history.not_found');
    const kind = this.#kind(editor.workgroup, of.kind);
    await this.#together(() => kind.put(editor, [{ id: of.id, content }], () => ''));
    const [newest] = await this.#options.store.list(thing);
    if (!newest) throw new AppError('history.not_found');
    return newest;
  }

  /** The last changes of several things. Names of what does not exist for the caller are left out. */
  async changes(caller: Caller): Promise<SavedChange[]> {
    const { store } = this.#options;
    const changes = await store.changes(caller.workgroup);
    const hidden = new Set<string>();
    for (const { name: kind, isHidden } of this.kinds(caller.workgroup)) {
      const isGone = await isHidden?.(caller);
      if (!isGone) continue;
      for (const one of await store.namesOf(caller.workgroup, kind))
        if (isGone(one.thing)) hidden.add(one.name);
    }
    return changes.map((one) => ({ ...one, names: one.names.filter((name) => !hidden.has(name)) }));
  }

  /** What was saved until now by the change that runs; null where that is nothing. */
  async changeNow(workgroup: string): Promise<SavedChange | null> {
    const change = this.#change.getStore();
    const [told] = change === undefined ? [] : await this.#options.store.changes(workgroup, change);
    return told ?? null;
  }

  /**
   * Takes a change of several things back; answers what that changed. Throws `history.no_change`,
   * `history.changed_since`, and what saving and deleting throw.
   */
  async undo(editor: Editor, change: string): Promise<SavedChange | null> {
    const { store } = this.#options;
    const { workgroup } = editor;
    const saves = await store.savesOf(workgroup, change);
    if (saves.length === 0) throw new AppError('history.no_change');
    const undone = crypto.randomUUID();
    const undo = () =>
      this.#together(async () => {
        const work = await Promise.all(
          this.#byKind(workgroup, saves).map((one) => this.#way(workgroup, one)),
        );
        for (const { kind, back } of work) if (back.length > 0) await kind.put(editor, back, () => '');
        for (const { kind, gone } of work.toReversed()) if (gone.length > 0) await kind.remove(editor, gone);
      });
    await this.#change.run(undone, undo);
    const [told] = await store.changes(workgroup, undone);
    return told ?? null;
  }

  /** Each kind with what a change saved of it, in the order in which they name one another. */
  #byKind(workgroup: string, saves: readonly KeptSave[]): { kind: Kind; saves: KeptSave[] }[] {
    const kinds = this.kinds(workgroup);
    const unknown = saves.find((one) => !kinds.some(({ name }) => name === one.kind));
    if (unknown) this.#kind(workgroup, unknown.kind);
    return kinds.map((kind) => ({ kind, saves: saves.filter((one) => one.kind === kind.name) }));
  }

  /** What a kind has to save and to delete so that it is as before. */
  async #way(workgroup: string, { kind, saves }: { kind: Kind; saves: KeptSave[] }) {
    const { store } = this.#options;
    // One thing may have been saved twice: it goes back to before the first.
    const first = new Map<string, KeptSave>();
    const last = new Map<string, KeptSave>();
    for (const one of saves.toSorted((a, b) => a.version - b.version)) {
      if (!first.has(one.thing)) first.set(one.thing, one);
      last.set(one.thing, one);
    }
    const newest = await store.newest(workgroup, kind.name, [...first.keys()]);
    for (const { thing, version, name } of last.values())
      if (newest.get(thing) !== version) throw new AppError('history.changed_since', { name });
    const before = await store.before(workgroup, kind.name, [...first.values()]);
    const back: Content[] = [];
    const gone: string[] = [];
    for (const { thing } of first.values()) {
      const content = before.get(thing);
      if (content) back.push({ id: thing, content });
      else if (last.get(thing)?.content) gone.push(thing);
    }
    return { kind, back, gone };
  }

  #together<T>(task: () => Promise<T>): Promise<T> {
    return together(this.#options.postgres, task);
  }

  async #pair(thing: Thing, version: number): Promise<[KeptSave, KeptSave | undefined]> {
    const [save, before] = await this.#options.store.pair(thing, version);
    if (save?.version !== version) throw new AppError('history.not_found');
    return [save, before];
  }

  async #thing(caller: Caller, of: Pick<Thing, 'kind' | 'id'>, action: 'view' | 'edit'): Promise<Thing> {
    await this.#kind(caller.workgroup, of.kind).demand(caller, of.id, action);
    return { workgroup: caller.workgroup, ...of };
  }

  /** Throws `access.addon_missing`. */
  #kind(workgroup: string, name: HistoryKind): Kind {
    const kind = this.#kinds.get(name);
    if (!kind) throw new AppError('history.not_found');
    const { addon } = kind;
    if (addon !== undefined && !this.#options.enabledAddons.has(workgroup, addon))
      throw new AppError('access.addon_missing', { addon: ADDONS[addon].name });
    return kind;
  }
}

/** Throws `history.not_newest` where somebody changed another version than the newest. */
export function demandNewest(yours: number | undefined, newest: number): void {
  if (yours !== undefined && yours !== newest) throw new AppError('history.not_newest', { yours, newest });
}

/** What is different between two contents of a kind. */
export const differenceOf = (kind: Kind, before: unknown, after: unknown): VersionChange[] => {
  const { byId = (content) => content as object } = kind;
  return diff(byId(before), byId(after)).map((one) => ({
    type: one.type,
    path: one.path,
    ...('oldValue' in one ? { old: one.oldValue } : {}),
    ...('value' in one ? { now: one.value } : {}),
  }));
};
