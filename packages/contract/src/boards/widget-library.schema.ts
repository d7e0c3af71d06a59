import { z } from 'zod';
import { foundIssue, issuesOf } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { boardsIssues } from './boards.errors.ts';
import { itemHead, itemProblems } from './boards.schema.ts';
import { isWidgetKind, WIDGETS } from './widgets/widgets.ts';

const ownIssue = issuesOf(boardsIssues);

/** What all places of a kept widget have in common; where each stands, and of which entity it is, is its own. */
const shared = itemHead.omit({ id: true, place: true, entity: true, items: true, library: true });

const kept = shared.superRefine((given, context) => {
  if (isWidgetKind(given.kind) && 'isGroup' in WIDGETS[given.kind]) {
    context.addIssue(ownIssue(['kind'], 'issue.library_group'));
    return;
  }
  for (const { path, ...issue } of itemProblems(given)) context.addIssue(foundIssue(issue, path));
});
export type LibraryItem = z.output<typeof shared>;

/** A widget that several boards show: a change of it reaches all of them. */
export const newLibraryWidget = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Required')
    .max(120)
    .regex(...ONE_LINE),
  item: kept,
});
export type NewLibraryWidget = z.output<typeof newLibraryWidget>;

export const changedLibraryWidget = newLibraryWidget.extend({
  /** The version that was changed; where a newer one was saved meanwhile, nothing is saved. Without it, the newest. */
  version: z.number().int().min(1).optional(),
});
export type ChangedLibraryWidget = z.output<typeof changedLibraryWidget>;

/** `boards` is how many dashboards show it; `updatedAt` is epoch ms. */
export const libraryWidget = z.object({
  _id: z.uuid(),
  name: z.string(),
  item: z.looseObject({ kind: z.string() }),
  version: z.number().int(),
  boards: z.number().int(),
  updatedAt: z.number(),
  updatedBy: z.string(),
});
export type LibraryWidget = Omit<z.infer<typeof libraryWidget>, 'item'> & { item: LibraryItem };

export const onLibraryWidget = inWorkgroup.extend({ widget: z.uuid() });
