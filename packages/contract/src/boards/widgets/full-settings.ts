import type { BoardItem } from '../board-items.ts';
import { type SettingDefaults, WIDGET_DEFAULTS } from './widget-defaults.ts';
import type { WidgetKind } from './widgets.ts';

/**
 * The settings of a widget that the server answered, with their defaults; null where they are of a kind, or a version, that is
 * not known here. Nothing is checked again. Variables have their values already: a word that a setting cannot be is as if it
 * were left out.
 */
export function fullSettings({ kind, v = 1, settings = {} }: Pick<BoardItem, 'kind' | 'v' | 'settings'>) {
  if (!Object.hasOwn(WIDGET_DEFAULTS, kind)) return null;
  const known = WIDGET_DEFAULTS[kind as WidgetKind];
  return v > known.version ? null : filled(settings, known.settings);
}

function filled(given: unknown, { is, words, of, each }: SettingDefaults): unknown {
  const value = given === undefined || (words && !words.includes(given as string)) ? is : given;
  if (Array.isArray(value)) return each ? value.map((one) => filled(one, each)) : value;
  if (!of || typeof value !== 'object' || value === null) return value;
  const all: Record<string, unknown> = { ...value };
  for (const [name, defaults] of Object.entries(of)) {
    const one = filled(all[name], defaults);
    if (one !== undefined) all[name] = one;
  }
  return all;
}
