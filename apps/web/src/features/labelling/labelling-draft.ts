import type { EntityLabel } from '@albedo/contract/entities/labels';
import type { LabelledSource, SourceLabel } from '@albedo/contract/labelling/labelling.schema';
import { fitsPattern } from '@albedo/contract/labelling/wildcards';

/** A source of a device. */
export interface SourceOf {
  device: string;
  source: string;
}

export const keyOf = ({ device, source }: SourceOf): string => `${device}\n${source}`;

/** How the sources are labelled, by `keyOf`. */
export type Labelled = ReadonlyMap<string, LabelledSource>;

/** What is not saved: labels by id, null for one that is taken away, and sources that are labelled otherwise. */
export interface Draft {
  labels: ReadonlyMap<string, EntityLabel | null>;
  sources: Labelled;
}

/** A source with the name of its device. */
export interface NamedSource extends SourceOf {
  name: string;
}

/** What both views show and change; nothing of it is stored before it is saved. */
export interface LabellingView {
  /** The labels with what is drafted. */
  labels: readonly EntityLabel[];
  sources: readonly NamedSource[];
  kept: Labelled;
  draft: Draft;
  change: (draft: Draft) => void;
}

export const EMPTY: Draft = { labels: new Map(), sources: new Map() };

/** What a draft has beyond what was saved of it: what was changed meanwhile. */
export const beyond = (draft: Draft, saved: Draft): Draft => ({
  labels: new Map([...draft.labels].filter(([id, label]) => saved.labels.get(id) !== label)),
  sources: new Map([...draft.sources].filter(([key, source]) => saved.sources.get(key) !== source)),
});

const BARE: SourceLabel = { labels: [], parent: null };

/** The labels once the draft is saved; new ones come last. */
export function labelsAfter(kept: readonly EntityLabel[], { labels }: Draft): EntityLabel[] {
  const known = new Set(kept.map(({ id }) => id));
  const added = [...labels].flatMap(([id, label]) => (label && !known.has(id) ? [label] : []));
  return [
    ...kept.flatMap((one) => {
      const drafted = labels.get(one.id);
      return drafted === null ? [] : [drafted ?? one];
    }),
    ...added,
  ];
}

/** How a source is labelled once the draft is saved. */
export function sourceAfter(kept: Labelled, draft: Draft, of: SourceOf): SourceLabel {
  const { labels, parent } = draft.sources.get(keyOf(of)) ?? kept.get(keyOf(of)) ?? BARE;
  return { labels: labels.filter((id) => draft.labels.get(id) !== null), parent };
}

/** The draft with other labels or another place of one source. */
export function withSource(kept: Labelled, draft: Draft, of: SourceOf, part: Partial<SourceLabel>): Draft {
  const next = { ...sourceAfter(kept, draft, of), ...part };
  return { ...draft, sources: new Map(draft.sources).set(keyOf(of), { ...of, ...next }) };
}

/** Each of some sources with a label more, or one less. */
export const withLabel = (
  kept: Labelled,
  draft: Draft,
  sources: readonly SourceOf[],
  { label, isOn }: { label: string; isOn: boolean },
): Draft =>
  sources.reduce((next, of) => {
    const others = sourceAfter(kept, next, of).labels.filter((id) => id !== label);
    return withSource(kept, next, of, { labels: isOn ? [...others, label] : others });
  }, draft);

/** What has to be saved: sources that are labelled otherwise than they were. */
export function changedSources(kept: Labelled, draft: Draft): LabelledSource[] {
  const keys = new Set([...kept.keys(), ...draft.sources.keys()]);
  return [...keys].flatMap((key) => {
    const of = (draft.sources.get(key) ?? kept.get(key)) as LabelledSource;
    const [was, is] = [kept.get(key) ?? BARE, sourceAfter(kept, draft, of)];
    const isSame =
      was.parent === is.parent &&
      was.labels.length === is.labels.length &&
      was.labels.every((id) => is.labels.includes(id));
    return isSame ? [] : [{ device: of.device, source: of.source, ...is }];
  });
}

/** How many labels and sources are not saved. */
export const countOf = (kept: Labelled, labels: readonly EntityLabel[], draft: Draft): number =>
  changedSources(kept, draft).length +
  [...draft.labels].filter(([id, label]) => {
    const was = labels.find((one) => one.id === id);
    return label === null ? was !== undefined : label.name !== was?.name || label.color !== was.color;
  }).length;

/** A source in its place: how many stand above it. */
export interface SourceRow {
  source: string;
  depth: number;
  labels: readonly string[];
  parent: string | null;
}

/** The sources of a device, each below the one that it belongs to. One whose upper source is gone stands by itself. */
export function rowsOf(
  device: string,
  sources: readonly string[],
  labelOf: (of: SourceOf) => SourceLabel,
): SourceRow[] {
  const known = new Set(sources);
  const facts = new Map(sources.map((source) => [source, labelOf({ device, source })]));
  const placeOf = (source: string): string | null => {
    const parent = facts.get(source)?.parent ?? null;
    return parent !== null && known.has(parent) && !isBelow(parent, source, facts) ? parent : null;
  };
  const below = Map.groupBy(sources.toSorted(BY_NAME.compare), placeOf);
  const rows: SourceRow[] = [];
  const walk = (parent: string | null, depth: number): void => {
    for (const source of below.get(parent) ?? []) {
      rows.push({ source, depth, labels: facts.get(source)?.labels ?? [], parent });
      walk(source, depth + 1);
    }
  };
  walk(null, 0);
  return rows;
}

/** Whether a source stands somewhere below another one, or is it. */
function isBelow(source: string, above: string, facts: ReadonlyMap<string, SourceLabel>): boolean {
  const seen = new Set<string>();
  for (let at: string | null = source; at !== null && !seen.has(at); at = facts.get(at)?.parent ?? null) {
    if (at === above) return true;
    seen.add(at);
  }
  return false;
}

/** Whether a source may stand below another one of the rows: not below itself, nor below one of its own. */
export function mayStandBelow(rows: readonly SourceRow[], source: string, parent: string): boolean {
  const byName = new Map(rows.map((row) => [row.source, row]));
  for (let at: string | null = parent; at !== null; at = byName.get(at)?.parent ?? null)
    if (at === source) return false;
  return true;
}

/** The source below which one step to the right puts a row: the one before it that is as deep; null where there is none. */
export function stepIn(rows: readonly SourceRow[], source: string): string | null {
  const at = rows.findIndex((row) => row.source === source);
  const depth = rows[at]?.depth ?? 0;
  for (let i = at - 1; i >= 0; i--) {
    const row = rows[i] as SourceRow;
    if (row.depth === depth) return row.source;
    if (row.depth < depth) return null;
  }
  return null;
}

/** Where one step to the left puts a row: beside the source that it stands below; undefined where it is outermost. */
export function stepOut(rows: readonly SourceRow[], source: string): string | null | undefined {
  const parent = rows.find((row) => row.source === source)?.parent ?? null;
  return parent === null ? undefined : (rows.find((row) => row.source === parent)?.parent ?? null);
}

/** The sources whose device and own name are as two patterns say. */
export const matching = <S extends SourceOf & { name: string }>(
  sources: readonly S[],
  patterns: { device: string; source: string },
): S[] =>
  sources.filter(
    ({ name, source }) =>
      fitsPattern(patterns.device.trim(), name) && fitsPattern(patterns.source.trim(), source),
  );

const BY_NAME = new Intl.Collator('en', { numeric: true });
