import { z } from 'zod';
import { issuesOf } from '../http/issues.ts';
import { sourceName } from '../metadata/metadata.schema.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { labellingIssues } from './labelling.errors.ts';

const ownIssue = issuesOf(labellingIssues);

/** Key of the setting of a device that says how its sources are labelled. Source: specification 2, section 3. */
export const SOURCE_LABELS = 'sourceLabels';

/** Labels that one source may have, and sources of one save. */
export const LABELLING_LIMITS = { labels: 100, sources: 5000 } as const;

/** How one source is labelled: ids of labels, and the source of the same device that it stands below. */
const sourceLabel = z.object({
  labels: z
    .array(z.string().min(1).max(200))
    .max(LABELLING_LIMITS.labels)
    .refine((list) => new Set(list).size === list.length, 'Each entry can appear only once.'),
  parent: sourceName.nullable().default(null),
});
export type SourceLabel = z.output<typeof sourceLabel>;

/** By the name of the source, as the setting holds it. */
const sourceLabels = z.record(sourceName, sourceLabel);
export type SourceLabels = Readonly<Record<string, SourceLabel>>;

/** A source of a device, and how it is labelled. */
export const labelledSource = sourceLabel.extend({ device: z.uuid(), source: sourceName });
export type LabelledSource = z.output<typeof labelledSource>;

export const onLabelling = inWorkgroup;

/** What stands in the setting, source by source; what is no such thing counts as nothing. */
export function sourceLabelsOf(setting: unknown): SourceLabels {
  return Object.fromEntries(
    Object.entries(entriesOf(setting)).flatMap(([source, kept]) => {
      const read = sourceLabel.safeParse(kept);
      return read.success && sourceName.safeParse(source).success ? [[source, read.data]] : [];
    }),
  );
}

/** The entries of the setting as they are kept, whether or not they can be read. */
export const entriesOf = (setting: unknown): Readonly<Record<string, unknown>> =>
  typeof setting === 'object' && setting !== null && !Array.isArray(setting) ? { ...setting } : {};

/** The sources that a source stands below, the next one first; one that stands below itself ends it. */
function abovesOf(labels: SourceLabels, source: string): string[] {
  const seen = new Set([source]);
  for (let at = parentOf(labels, source); at !== null && !seen.has(at); at = parentOf(labels, at))
    seen.add(at);
  return [...seen].slice(1);
}

const parentOf = (labels: SourceLabels, source: string): string | null =>
  (Object.hasOwn(labels, source) && labels[source]?.parent) || null;

/** The ids of the labels that a source has, or one that it stands below. */
export const labelsOf = (labels: SourceLabels, source: string): string[] => [
  ...new Set(
    [source, ...abovesOf(labels, source)].flatMap((one) =>
      Object.hasOwn(labels, one) ? (labels[one]?.labels ?? []) : [],
    ),
  ),
];

/** Whether a source, or one that it stands below, has the label. */
export const isLabelled = (labels: SourceLabels, source: string, label: string): boolean =>
  labelsOf(labels, source).includes(label);

/** As the setting may be: no source stands below itself. */
export const soundLabels = sourceLabels.superRefine((labels, context) => {
  const source = circleIn(labels);
  if (source !== null) context.addIssue(ownIssue([source], 'issue.labelling_circle', { source }));
});

/** The source of a device that would stand below itself; null where none does. */
export function circleIn(labels: SourceLabels): string | null {
  const isCircle = (source: string): boolean => {
    const above = [source, ...abovesOf(labels, source)];
    const next = parentOf(labels, above.at(-1) as string);
    return next !== null && above.includes(next);
  };
  return Object.keys(labels).find(isCircle) ?? null;
}
