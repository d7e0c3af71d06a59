import type { Entity } from '@albedo/contract/entities/entities.schema';

/** Labels by entity. */
export type LabelChanges = ReadonlyMap<string, readonly string[]>;

/** Whether both hold the same labels, in whatever order. */
export const haveSameLabels = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((label) => other.includes(label));

/** The labels of those entities that would have others, once each label is `set` on all of them, or on none. */
export function labelChangesOf(
  entities: readonly Pick<Entity, '_id' | 'labels'>[],
  set: ReadonlyMap<string, boolean>,
): LabelChanges {
  return new Map(
    entities.flatMap(({ _id, labels: had }) => {
      const kept = had.filter((id) => set.get(id) !== false);
      const added = [...set].filter(([id, isOn]) => isOn && !had.includes(id)).map(([id]) => id);
      const next = [...kept, ...added];
      return haveSameLabels(next, had) ? [] : [[_id, next] as const];
    }),
  );
}

/** What is to be saved after more changes; who takes a change back has nothing to save. */
export function withChanges(
  unsaved: LabelChanges,
  changes: LabelChanges,
  saved: readonly Pick<Entity, '_id' | 'labels'>[],
): LabelChanges {
  const next = new Map([...unsaved, ...changes]);
  for (const { _id, labels } of saved) {
    if (haveSameLabels(next.get(_id) ?? labels, labels)) next.delete(_id);
  }
  return next;
}
