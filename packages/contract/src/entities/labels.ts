import { WORKGROUP_SETTINGS } from '../workgroups/workgroup-settings.schema.ts';

/** Key of the workgroup setting with the labels of entities. */
export const LABELS_SETTING = 'labels';

/** A label; without a color of its own, empty. */
export interface EntityLabel {
  id: string;
  name: string;
  color: string;
}

/** The labels among the settings of a workgroup; none where there are none. */
export function labelsOf(settings: Readonly<Record<string, unknown>>): EntityLabel[] {
  const kept = WORKGROUP_SETTINGS.labels.safeParse(settings[LABELS_SETTING]).data ?? [];
  return kept.map((one) => (typeof one === 'string' ? { id: one, name: one, color: '' } : one));
}
