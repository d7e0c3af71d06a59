import {
  type HistoryKind,
  KEPT_VERSIONS,
  type SavedVersion,
  TOLD_CHANGES,
  type VersionChange,
} from '@albedo/contract/history/history.schema';
import diff from 'microdiff';
import type { Logger } from 'pino';
import type { Caller } from '../access/caller.ts';
import type { Manager } from '../access/manager.ts';
import { AppError } from '../errors/app-error.ts';
import type { HistoryStore, Save, Thing } from './history.store.ts';

/** A kind of thing of which every save is kept. Each is announced once, by the feature that has it. */
export interface Kind {
  name: HistoryKind;
  /** Throws where the thing does not exist for the caller, or they may not do this with it. */
  demand(caller: Caller, id: string, action: 'view' | 'edit'): Promise<void>;
  /** Saves the content once more, as the newest version, and answers it. */
  restore(caller: Caller, id: string, content: unknown, by: Manager): Promise<SavedVersion>;
  /** The content with what stands in lists by an id, so that what moved is no change. */
  byId?(content: unknown): object;
}

/** Every save of what has versions: who saved it, when, what it changed, and the way back. */
export class History {
  readonly #store: HistoryStore;
  readonly #log: Logger;
  readonly #kinds = new Map<HistoryKind, Kind>();

  constructor(store: HistoryStore, log: Logger) {
    this.#store = store;
    this.#log = log;
  }

  announce(kind: Kind): void {
    this.#kinds.set(kind.name, kind);
  }

  /**
   * Keeps saves; one that is kept already stays as it is. A save whose history cannot be written is still a save: the next
   * one brings it along.
   */
  async keep(thing: Thing, saves: readonly Save[]): Promise<void> {
    await this.#store.keep(thing, saves, KEPT_VERSIONS).catch((err) => {
      this.#log.error({ err }, 'a version could not be kept');
    });
  }

  /** Forgets the saves of what was deleted. */
  async forget(thing: Thing): Promise<void> {
    await this.#store.forget(thing);
  }

  /** Throws what the kind demands. */
  async list(caller: Caller, of: Pick<Thing, 'kind' | 'id'>): Promise<SavedVersion[]> {
    const thing = await this.#thing(caller, of, 'view');
    return this.#store.list(thing);
  }

  /** Throws what the kind demands, and `history.not_found`. */
  async get(caller: Caller, of: Pick<Thing, 'kind' | 'id'>, version: number) {
    const thing = await this.#thing(caller, of, 'view');
    const [save, before] = await this.#pair(thing, version);
    const { content: _, ...told } = save;
    const changes = before ? this.#changes(of.kind, before.content, save.content) : null;
    return { ...told, changes: changes?.slice(0, TOLD_CHANGES) ?? null, count: changes?.length ?? 0 };
  }

  /** Throws what the kind demands, what saving throws, and `history.not_found`. */
  async restore(
    caller: Caller,
    of: Pick<Thing, 'kind' | 'id'>,
    version: number,
    by: Manager,
  ): Promise<SavedVersion> {
    const thing = await this.#thing(caller, of, 'edit');
    const [save] = await this.#pair(thing, version);
    return this.#kind(of.kind).restore(caller, of.id, save.content, by);
  }

  async #pair(thing: Thing, version: number): Promise<[Save, Save | undefined]> {
    const [save, before] = await this.#store.pair(thing, version);
    if (save?.version !== version) throw new AppError('history.not_found');
    return [save, before];
  }

  async #thing(caller: Caller, of: Pick<Thing, 'kind' | 'id'>, action: 'view' | 'edit'): Promise<Thing> {
    await this.#kind(of.kind).demand(caller, of.id, action);
    return { workgroup: caller.workgroup, ...of };
  }

  #kind(name: HistoryKind): Kind {
    const kind = this.#kinds.get(name);
    if (!kind) throw new AppError('history.not_found');
    return kind;
  }

  #changes(name: HistoryKind, before: unknown, after: unknown): VersionChange[] {
    const { byId = (content) => content as object } = this.#kind(name);
    return diff(byId(before), byId(after)).map((one) => ({
      type: one.type,
      path: one.path,
      ...('oldValue' in one ? { old: one.oldValue } : {}),
      ...('value' in one ? { now: one.value } : {}),
    }));
  }
}
