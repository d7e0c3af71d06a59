import type { z } from 'zod';
import type { BoardStream } from '../streams.schema.ts';

/** What a widget keeps. A change of `settings` that old boards do not fit gets the next `version` and a `migrate`. */
export interface WidgetSchema<S extends z.ZodType = z.ZodType> {
  version: number;
  settings: S;
  /** Settings of an older version, brought to this one. */
  migrate?: (settings: Readonly<Record<string, unknown>>, from: number) => Record<string, unknown>;
  /** Streams that it asks for beside those in its settings. */
  asks?: (settings: Readonly<Record<string, unknown>>) => BoardStream[];
  /** It holds other widgets. */
  isGroup?: true;
}

/** Keeps the type of the settings. */
export const widgetSchema = <S extends z.ZodType>(of: WidgetSchema<S>): WidgetSchema<S> => of;
