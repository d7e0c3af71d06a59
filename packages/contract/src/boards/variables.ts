import { AGGREGATION_INTERVALS } from '../telemetry/intervals.ts';
import type { BoardVariable } from './variables.schema.ts';

const VARIABLE_INTERVALS = ['auto', ...AGGREGATION_INTERVALS] as const;

/** What a variable is now: its value in settings, and how people call it. */
export interface Bound {
  value: string;
  text: string;
}
export type Bindings = ReadonlyMap<string, Bound>;

/** Knows how entities and labels are called. */
export interface VariableWorld {
  entityName: (id: string) => string | undefined;
  labelName: (id: string) => string | undefined;
}

/** Where the choices of variables come from. */
export interface ChoiceWorld {
  entities: readonly { _id: string; name: string; labels: readonly string[] }[];
  labels: readonly { id: string; name: string }[];
  /** Of a display: all that can be chosen of its variables, by their keys, in place of what else there would be. */
  offered?: Readonly<Record<string, readonly Bound[]>> | undefined;
}

/** What can be chosen of a variable; null where anything can be typed. `key` is its name with its scope before it. */
export function choicesOf(
  { name, kind, options = [] }: BoardVariable,
  of: ChoiceWorld,
  key: string = name,
): Bound[] | null {
  if (of.offered && Object.hasOwn(of.offered, key)) return [...(of.offered[key] ?? [])];
  if (kind === 'list') return options.map((one) => ({ value: one, text: one }));
  if (kind === 'interval') return VARIABLE_INTERVALS.map((one) => ({ value: one, text: one }));
  if (kind === 'label') return of.labels.map(({ id, name }) => ({ value: id, text: name }));
  if (kind !== 'entity') return null;
  return of.entities
    .filter(({ labels }) => options.length === 0 || options.some((one) => labels.includes(one)))
    .map(({ _id, name }) => ({ value: _id, text: name }));
}

/** What variables are now: what was chosen where that can be, else what they are first. `scope` goes before each name. */
export function bindingsOf(
  variables: readonly BoardVariable[],
  chosen: Readonly<Record<string, string>>,
  of: ChoiceWorld,
  scope = '',
): Map<string, Bound> {
  const all = new Map<string, Bound>();
  for (const one of variables) {
    const { name, kind, initial } = one;
    const key = scope + name;
    const wanted = Object.hasOwn(chosen, key) ? chosen[key] : undefined;
    const choices = choicesOf(one, of, key);
    if (choices) {
      const found =
        choices.find(({ value }) => value === wanted) ??
        choices.find(({ value }) => value === initial) ??
        choices[0];
      all.set(name, found ?? { value: '', text: '' });
    } else {
      const isFit = wanted !== undefined && (kind !== 'number' || Number.isFinite(Number(wanted)));
      const value = (isFit ? wanted : (initial ?? '')).slice(0, 200);
      all.set(name, { value, text: value });
    }
  }
  return all;
}

/** A setting that is a variable and nothing else. */
export const VARIABLE = /^\{\{ *[A-Za-z][A-Za-z0-9_]* *\}\}$/;
const HOLE = /\{\{ *([A-Za-z][A-Za-z0-9_]*) *\}\}/g;

/** A text with variables in it; names that are none stay as they are. */
export const filledText = (text: string, bindings: Bindings, part: keyof Bound = 'text'): string =>
  bindings.size === 0 ? text : text.replace(HOLE, (hole, name: string) => bindings.get(name)?.[part] ?? hole);

/** Settings with variables in all their texts; what is read by people has their words. */
export function filledSettings(settings: unknown, bindings: Bindings, key = ''): unknown {
  if (bindings.size === 0) return settings;
  if (typeof settings === 'string') return filledText(settings, bindings, WORDS.has(key) ? 'text' : 'value');
  if (Array.isArray(settings)) return settings.map((one) => filledSettings(one, bindings, key));
  if (typeof settings !== 'object' || settings === null) return settings;
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, filledSettings(value, bindings, name)]),
  );
}

/** Settings that people read. */
const WORDS: ReadonlySet<string> = new Set(['text', 'name', 'alt', 'title', 'unit']);

interface Bindable {
  id: string;
  title?: string | undefined;
  settings?: Record<string, unknown> | undefined;
  entity?: string | undefined;
  variables?: BoardVariable[] | undefined;
  items?: Bindable[] | undefined;
}

/** A widget with what variables are now, without what stands inside it. */
export function boundItem<T extends Bindable>(item: T, bindings: Bindings): T {
  if (bindings.size === 0) return item;
  const { title, settings, entity } = item;
  return {
    ...item,
    ...(title === undefined ? {} : { title: filledText(title, bindings) }),
    ...(settings === undefined
      ? {}
      : { settings: filledSettings(settings, bindings) as Record<string, unknown> }),
    ...(entity === undefined ? {} : { entity: filledText(entity, bindings, 'value') }),
  };
}

interface Binding extends ChoiceWorld {
  chosen: Readonly<Record<string, string>>;
  /** Keys of variables that stay, since they can be chosen later. */
  free?: ReadonlySet<string>;
}

/** Those variables that stay, with what they are now as what they are first; bindings are then without them. */
export function keptFree(
  variables: readonly BoardVariable[],
  bindings: Map<string, Bound>,
  { free }: Pick<Binding, 'free'>,
  scope = '',
): BoardVariable[] {
  return variables.flatMap((one) => {
    if (!free?.has(scope + one.name)) return [];
    const initial = bindings.get(one.name)?.value ?? '';
    bindings.delete(one.name);
    return [{ ...one, initial }];
  });
}

/** All widgets with what variables are, as if there were none; those that stay free keep their places. */
export function boundItems<T extends Bindable>(items: readonly T[], of: Binding, above: Bindings): T[] {
  return items.map((item) => {
    const { variables = [], ...rest } = item;
    const scope = `${item.id}.`;
    const own = bindingsOf(variables, of.chosen, of, scope);
    const outer = new Map(above);
    for (const { name } of variables) outer.delete(name);
    const kept = keptFree(variables, own, of, scope);
    const all = new Map([...outer, ...own]);
    const bound = boundItem((kept.length > 0 ? { ...rest, variables: kept } : rest) as T, all);
    return bound.items ? { ...bound, items: boundItems(bound.items as T[], of, all) } : bound;
  });
}
