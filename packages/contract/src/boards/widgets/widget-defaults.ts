import { z } from 'zod';
import type { WidgetSchema } from './widget-schema.ts';
import { WIDGETS, type WidgetKind } from './widgets.ts';

/** What a setting is where it is left out, or where it is none of the words that it can be. Plain data. */
export interface SettingDefaults {
  is?: unknown;
  words?: readonly string[];
  /** Of what stands inside: of each setting, or of each element of a list. */
  of?: Readonly<Record<string, SettingDefaults>>;
  each?: SettingDefaults;
}

/**
 * Version and defaults of each kind of widget, as its schema says. The build of the web app puts the result in place of this
 * module: a dashboard is drawn from settings that the server has checked, and making all schemas first would take longer
 * than drawing it.
 */
export const WIDGET_DEFAULTS = Object.fromEntries(
  Object.entries<WidgetSchema>(WIDGETS).map(([kind, { version, settings }]) => [
    kind,
    { version, settings: defaultsIn(settings) ?? {} },
  ]),
) as Readonly<Record<WidgetKind, { version: number; settings: SettingDefaults }>>;

/** Null where nothing of it has a default. */
function defaultsIn(schema: z.core.$ZodType): SettingDefaults | null {
  if (schema instanceof z.ZodOptional) return defaultsIn(schema.unwrap());
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    const words = wordsOf(schema.unwrap());
    // Of a default inside another one the outer counts.
    return { ...defaultsIn(schema.unwrap()), is: schema.def.defaultValue, ...(words ? { words } : {}) };
  }
  if (schema instanceof z.ZodArray) {
    const each = defaultsIn(schema.element);
    return each && { each };
  }
  if (!(schema instanceof z.ZodObject)) return null;
  const of = Object.entries<z.core.$ZodType>(schema.shape).flatMap(([name, one]) => {
    const found = defaultsIn(one);
    return found ? [[name, found] as const] : [];
  });
  return of.length > 0 ? { of: Object.fromEntries(of) } : null;
}

/** The words that it can be, where it is one of some; what else a union allows, stands for one of them. */
function wordsOf(schema: z.core.$ZodType): string[] | undefined {
  if (schema instanceof z.ZodUnion) return schema.options.map(wordsOf).find((words) => words !== undefined);
  return schema instanceof z.ZodEnum ? (schema.options as string[]) : undefined;
}
