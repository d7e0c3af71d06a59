/** Key of the workgroup setting with the labels of entities. */
export const LABELS_SETTING = 'labels';

/** A label; without a color of its own, empty. */
export interface EntityLabel {
  id: string;
  name: string;
  color: string;
}

/**
 * The labels among the settings of a workgroup; none where there are none. What is stored was checked before, so that the
 * schema, whose making takes a phone long, is not needed here.
 */
export function labelsOf(settings: Readonly<Record<string, unknown>>): EntityLabel[] {
  const kept = settings[LABELS_SETTING];
  if (!Array.isArray(kept)) return [];
  return kept.flatMap((one: unknown) =>
    typeof one === 'string' ? { id: one, name: one, color: '' } : isLabel(one) ? { color: '', ...one } : [],
  );
}

const isLabel = (one: unknown): one is Omit<EntityLabel, 'color'> =>
  typeof one === 'object' && one !== null && 'id' in one && 'name' in one;
