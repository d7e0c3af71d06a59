import { z } from 'zod';
import { foundIssue, generalIssues, issuesOf } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { BOARD_COLUMNS, BOARD_FORMAT, BOARD_LIMITS, type BoardItem } from './board-items.ts';
import { boardsIssues } from './boards.errors.ts';
import { boardVariables } from './variables.schema.ts';
import type { WidgetSchema } from './widgets/widget-schema.ts';
import { isWidgetKind, WIDGETS } from './widgets/widgets.ts';

const ownIssue = issuesOf({ ...generalIssues, ...boardsIssues });

const place = z
  .strictObject({
    x: z
      .number()
      .int()
      .min(0)
      .max(BOARD_COLUMNS - 1),
    y: z.number().int().min(0).max(10_000),
    w: z.number().int().min(1).max(BOARD_COLUMNS),
    h: z.number().int().min(1).max(400),
  })
  .refine(({ x, w }) => x + w <= BOARD_COLUMNS, {
    path: ['w'],
    message: boardsIssues['issue.board_edge'],
  });
const itemId = z
  .string()
  .min(1)
  .max(60)
  .regex(/^[\w-]+$/);

export const itemHead = z.strictObject({
  id: itemId,
  kind: z.string().min(1).max(40),
  /** Version of the settings. */
  v: z.number().int().min(1).optional(),
  title: z
    .string()
    .max(200)
    .regex(...ONE_LINE)
    .optional(),
  place: place.optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
  /** Its own, for it and what stands inside. */
  variables: boardVariables.optional(),
  /** Id of the entity that it shows in place of the one of the board. */
  entity: z.string().min(1).max(200).optional(),
  /** Id of the widget in the library that it shows; what else stands here counts once that is gone. */
  library: z.uuid().optional(),
  items: z.array(z.unknown()).optional(),
});

const content = z.strictObject({
  format: z.number().int().min(1).default(BOARD_FORMAT),
  items: z.array(z.looseObject({ id: z.string(), kind: z.string() })).default([]),
  /** What the board shows first: a range as it stands in an address, a zone, whether it follows the clock. */
  range: z.string().max(80).optional(),
  zone: z.string().max(80).optional(),
  isLive: z.boolean().optional(),
  variables: boardVariables.optional(),
});

/** What is shown: widgets, those of groups inside them. A bare list is one of widgets. */
export interface Board extends Omit<z.output<typeof content>, 'items'> {
  items: BoardItem[];
}

const asBoard = (given: unknown): unknown => (Array.isArray(given) ? { items: given } : given);

export const board = z.preprocess(
  asBoard,
  content.superRefine((given, context) => {
    if (given.format > BOARD_FORMAT) {
      const facts = { given: String(given.format), known: String(BOARD_FORMAT) };
      context.addIssue(ownIssue(['format'], 'issue.board_newer', facts));
      return;
    }
    for (const { path, ...issue } of problemsOf(given.items))
      context.addIssue(foundIssue(issue, ['items', ...path]));
    if (JSON.stringify(given).length > BOARD_LIMITS.kilobytes * 1000)
      context.addIssue(ownIssue(['items'], 'issue.board_large', { max: String(BOARD_LIMITS.kilobytes) }));
  }),
);

type Problem = { path: (string | number)[]; message: string; code: string };

/** What is wrong with one widget by itself. */
export const itemProblems = (item: object): Problem[] =>
  problemsOf([{ ...item, id: 'widget' }]).map((one) => ({ ...one, path: one.path.slice(1) }));

/** Everything that is wrong with widgets, by its place. */
function problemsOf(items: readonly unknown[]): Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  let count = 0;
  const add = (path: (string | number)[], issue: ReturnType<typeof ownIssue>) =>
    problems.push({ ...issue, path });
  const walk = (all: readonly unknown[], path: (string | number)[], depth: number): void => {
    for (const [at, one] of all.entries()) {
      const here = [...path, at];
      count++;
      if (count === BOARD_LIMITS.widgets + 1)
        add(here, ownIssue([], 'issue.board_many', { max: String(BOARD_LIMITS.widgets) }));
      if (count > BOARD_LIMITS.widgets) return;
      const head = itemHead.safeParse(one);
      if (!head.success) {
        for (const issue of head.error.issues)
          problems.push({ ...issue, path: [...here, ...(issue.path as (string | number)[])] } as Problem);
        continue;
      }
      const { id, kind, v = 1, settings = {}, items: inner } = head.data;
      if (seen.has(id)) add([...here, 'id'], ownIssue([], 'issue.twice'));
      seen.add(id);
      if (!isWidgetKind(kind)) {
        add([...here, 'kind'], ownIssue([], 'issue.widget_unknown', { kind }));
        continue;
      }
      const widget: WidgetSchema = WIDGETS[kind];
      if (v > widget.version) {
        const facts = { kind, given: String(v), known: String(widget.version) };
        add([...here, 'v'], ownIssue([], 'issue.widget_newer', facts));
        continue;
      }
      const checked = widget.settings.safeParse(migrated(widget, settings, v));
      for (const issue of checked.error?.issues ?? [])
        problems.push({
          ...issue,
          path: [...here, 'settings', ...(issue.path as (string | number)[])],
        } as Problem);
      if (inner === undefined || inner.length === 0) continue;
      if (!widget.isGroup) add([...here, 'items'], ownIssue([], 'issue.board_no_group', { kind }));
      else if (depth >= BOARD_LIMITS.depth)
        add([...here, 'items'], ownIssue([], 'issue.board_deep', { max: String(BOARD_LIMITS.depth) }));
      else walk(inner, [...here, 'items'], depth + 1);
    }
  };
  walk(items, [], 1);
  return problems;
}

/** The settings of a widget with their defaults; null where they are of a kind, or a version, that is not known here. */
export function settingsOf(item: Pick<BoardItem, 'kind' | 'v' | 'settings'>): unknown {
  if (!isWidgetKind(item.kind)) return null;
  const widget: WidgetSchema = WIDGETS[item.kind];
  return widget.settings.safeParse(migrated(widget, item.settings ?? {}, item.v ?? 1)).data ?? null;
}

/** Widgets with the settings of older versions brought to the version of this release. */
export const withThisVersion = (
  items: readonly BoardItem[],
  widgets: Readonly<Record<string, WidgetSchema>> = WIDGETS,
): BoardItem[] =>
  items.map((item) => {
    const inside = item.items ? { ...item, items: withThisVersion(item.items, widgets) } : item;
    const widget = Object.hasOwn(widgets, item.kind) ? widgets[item.kind] : undefined;
    const { v = 1, settings = {} } = item;
    if (!widget || v >= widget.version) return inside;
    return { ...inside, v: widget.version, settings: migrated(widget, settings, v) };
  });

function migrated(
  { version, migrate }: WidgetSchema,
  settings: Record<string, unknown>,
  from: number,
): Record<string, unknown> {
  return from < version ? (migrate?.(settings, from) ?? settings) : settings;
}

export const BOARD_TYPES = ['entity', 'label'] as const;

const name = z
  .string()
  .trim()
  .min(1, 'Required')
  .max(120)
  .regex(...ONE_LINE);

/** A dashboard as it is made: of one entity, or of all with a label. */
export const newBoard = z.object({
  /** Clients may choose it. */
  _id: z.uuid().optional(),
  type: z.enum(BOARD_TYPES),
  /** Id of the entity, or of the label. */
  typeId: z.string().trim().min(1, 'Required').max(120),
  name,
  board: board.default({ format: BOARD_FORMAT, items: [] }),
});
export type NewBoard = z.output<typeof newBoard>;

export const changedBoard = newBoard.omit({ _id: true }).extend({
  /** The version that was changed; where a newer one was saved meanwhile, nothing is saved. Without it, the newest. */
  version: z.number().int().min(1).optional(),
});
export type ChangedBoard = z.output<typeof changedBoard>;

/** What the caller may do with a board. */
const may = z.array(z.enum(['view', 'edit', 'delete']));

/** A board without what it shows; times are epoch ms. */
export const boardHead = z.object({
  _id: z.uuid(),
  type: z.enum(BOARD_TYPES),
  typeId: z.string(),
  name: z.string(),
  /** Counts up with every save. */
  version: z.number().int(),
  /** How many widgets it has. */
  widgets: z.number().int(),
  updatedAt: z.number(),
  updatedBy: z.string(),
  may,
});
export type BoardHead = z.infer<typeof boardHead>;

export const storedBoard = boardHead.extend({
  board: z.looseObject({
    format: z.number(),
    items: z.array(z.looseObject({ id: z.string(), kind: z.string() })),
  }),
});
export type StoredBoard = Omit<z.infer<typeof storedBoard>, 'board'> & { board: Board };

export const onBoard = inWorkgroup.extend({ board: z.uuid() });
