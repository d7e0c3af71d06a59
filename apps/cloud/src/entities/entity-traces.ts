import type { Entity } from '@albedo/contract/entities/entities.schema';
import type { Manager } from '../access/manager.ts';
import type { Audit, AuditEntry } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import type { Editor, History } from '../history/history.service.ts';
import type { TellList } from '../sockets/lists.ts';
import type { EntityRow } from './entities.store.ts';
import { entitiesChanged } from './entities.topics.ts';

export interface EntityTracesOptions {
  history: Pick<History, 'keep'>;
  audit: Audit;
  tell: TellList;
  bus: Bus;
}

/** What a change of entities leaves: versions, entries of the audit log, and the news. */
export class EntityTraces {
  readonly #of: EntityTracesOptions;

  constructor(of: EntityTracesOptions) {
    this.#of = of;
  }

  /** Keeps the versions of what is other than it was. */
  async keep(
    { workgroup, by }: Pick<Editor, 'workgroup'> & { by: { email: string } },
    saved: readonly Entity[],
    old: readonly (Entity | undefined)[] = [],
  ): Promise<void> {
    const saves = saved.flatMap((one, at) => {
      const [content, before] = [contentOf(one), old[at]];
      if (before && JSON.stringify(contentOf(before)) === JSON.stringify(content)) return [];
      const { version } = one;
      const was = before && { name: before.name, version: before.version, content: contentOf(before) };
      return [{ id: one._id, name: one.name, version, content, before: was }];
    });
    if (saves.length > 0) await this.#of.history.keep({ workgroup, kind: 'entity', by }, saves);
  }

  /** Keeps the last versions of what is gone. */
  async keepGone({ workgroup, by }: Editor, gone: readonly EntityRow[]): Promise<void> {
    await this.#of.history.keep(
      { workgroup, kind: 'entity', by },
      gone.map((row) => ({
        ...{ id: row.id, name: row.name, content: null },
        before: { name: row.name, content: contentOf(row) },
      })),
    );
  }

  record(
    { workgroup, by }: Pick<Editor, 'workgroup' | 'by'>,
    { _id, name }: Pick<Entity, '_id' | 'name'>,
    what: Pick<AuditEntry, 'action' | 'attribute' | 'oldValue' | 'newValue'>,
  ): void {
    const entry = { workgroup, at: Date.now(), controller: 'entity', entity: `${name} (${_id})` };
    this.#of.audit.record({ ...entry, attribute: 'record', by: by.email, address: by.address, ...what });
  }

  tell(workgroup: string, ids: string[], by: Manager | null): void {
    void this.#of.bus.publish(entitiesChanged, { workgroup, ids, by: by?.email ?? null });
    this.#of.tell('entities', workgroup);
  }
}

/** What a version keeps. */
export const contentOf = ({
  name,
  parent,
  labels,
  machine,
  meta,
  signals,
  settings,
}: Pick<EntityRow, Exclude<keyof EntityRow, 'id' | 'workgroup' | 'version'>>) => ({
  ...{ name, parent, labels, machine, meta, signals, settings },
});

/** What the audit log says of an entity. */
export const textOf = ({ name, parent, labels, machine, meta, signals }: Entity): string =>
  JSON.stringify({ name, parent, labels, machine, meta, signals });
