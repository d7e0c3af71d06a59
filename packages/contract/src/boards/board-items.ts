import type { BoardVariable } from './variables.schema.ts';

/** What one board may hold. */
export const BOARD_LIMITS = { widgets: 300, depth: 4, kilobytes: 800 } as const;
/** Columns of the grid. Rows are as high as `ROW_PX` of the web says. */
export const BOARD_COLUMNS = 24;
/** The format of a board that this release writes. */
export const BOARD_FORMAT = 1;

/** Where a widget stands, in columns and rows from the top left of its board or group. */
export interface Place {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** One widget as it is kept; `items` are those of a group. */
export interface BoardItem {
  id: string;
  kind: string;
  /** Version of the settings; 1 where it is left out. */
  v?: number | undefined;
  title?: string | undefined;
  place?: Place | undefined;
  settings?: Record<string, unknown> | undefined;
  /** Its own, for it and what stands inside. */
  variables?: BoardVariable[] | undefined;
  /** Id of the entity that it shows in place of the one of the board. */
  entity?: string | undefined;
  /** Id of the widget in the library that it shows; what else stands here counts once that is gone. */
  library?: string | undefined;
  items?: BoardItem[] | undefined;
}

/** All widgets, those of groups too. */
export const everyItem = (items: readonly BoardItem[]): BoardItem[] =>
  items.flatMap((one) => [one, ...everyItem(one.items ?? [])]);
