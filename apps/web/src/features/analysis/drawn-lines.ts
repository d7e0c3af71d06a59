import type { DeviceSummary, LatestSource } from '@albedo/contract/devices/devices.schema';
import type { Formula } from '@albedo/contract/formulae/formulae.schema';
import type { PlantSite } from '@albedo/contract/plants/plant-site';
import type { Combining } from '@albedo/contract/telemetry/combine-values';
import type { CombinedSeries, TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import type { KnownWorld } from '../../app/entity-world-query.ts';
import { zoneOf } from '../../app/entity-zone.ts';
import { type ChartLine, lineLabel } from '../../app/series/chart-lines.ts';
import { isStepped, unitsOf } from '../../app/series/source-groups.ts';
import {
  type AnalysisLine,
  analysisLineToText,
  type EntityLine,
  isFormula,
  isOfEntity,
  isStream,
  type StreamLine,
} from './analysis-lines.ts';
import { entityNames, nameOfPart, readingOf } from './entity-lines.ts';

/** What is known of a device besides its name. */
export interface KnownDevice {
  site: PlantSite;
  zone: string | null;
  sources: readonly LatestSource[];
}

/** A stream that a line reads, and how much of its plant it is: one of four inverters is a quarter. */
export type LineStream = CombinedSeries['streams'][number] & { part: number };

/** A line with all that its drawing needs. `key` is its text in the address. */
export interface DrawnLine extends ChartLine {
  key: string;
  label: string;
  /** What a chart of nothing else is called after: a device, or what the entity stands below. */
  owner: string;
  /** What it reads; of a formula, its inputs. */
  streams: readonly LineStream[];
  /** How the streams of an entity become one line; null where the line is a stream or a formula by itself. */
  combine: Combining | null;
  units: string | null;
  isStepped: boolean;
  /** Of the site; null where nobody says it. */
  zone: string | null;
}

export interface LineFacts {
  devices: readonly DeviceSummary[];
  known: ReadonlyMap<string, KnownDevice>;
  tables: ReadonlyMap<string, TableInfo>;
  formulas: readonly Formula[];
  /** The entities that the user sees; null where the page has none. */
  entities: KnownWorld | null;
  /** What a formula is called where a source stands. */
  formulaWord: string;
}

/** The streams that a line reads. */
export function streamsIn(
  line: AnalysisLine,
  { formulas, entities }: Pick<LineFacts, 'formulas' | 'entities'>,
): StreamLine[] {
  if (isStream(line)) return [line];
  if (isFormula(line)) return formulas.find(({ _id }) => _id === line.formula)?.inputs ?? [];
  return entities ? readingOf(entities.world, line).streams : [];
}

/** The lines that can be drawn; formulas and entities that the user does not see are left out. */
export function drawnLines(lines: readonly AnalysisLine[], facts: LineFacts): DrawnLine[] {
  const labelOf = labelsOf(lines, facts);
  return lines.flatMap((line): DrawnLine[] => {
    const drawn = isStream(line)
      ? drawnStream(line, facts)
      : isFormula(line)
        ? drawnFormula(line.formula, facts)
        : drawnEntity(line, facts);
    return drawn ? [{ ...drawn, key: analysisLineToText(line), label: labelOf(line) ?? drawn.field }] : [];
  });
}

type Drawn = Omit<DrawnLine, 'key' | 'label'>;

function drawnStream(line: StreamLine, facts: LineFacts): Drawn {
  const { devices, known, tables } = facts;
  const { device, table, source, field } = line;
  return {
    ...{ table, source, field, combine: null },
    owner: nameOf(devices, device),
    streams: [withPart({ ...line, factor: 1, offset: 0 }, facts)],
    units: unitsOf(tables, table, field),
    isStepped: isStepped(tables, table, field),
    zone: known.get(device)?.zone ?? null,
  };
}

function drawnFormula(id: string, facts: LineFacts): Drawn | null {
  const { devices, known, formulas, formulaWord } = facts;
  const formula = formulas.find(({ _id }) => _id === id);
  if (!formula) return null;
  const [first] = formula.inputs;
  return {
    ...{ table: '', source: formulaWord, field: formula.title, combine: null, isStepped: false },
    owner: first ? nameOf(devices, first.device) : '',
    streams: formula.inputs.map((one, i) => {
      const isFirst = formula.inputs.findIndex(({ device }) => device === one.device) === i;
      // It may be about anything of its plants: it counts as a whole one of each.
      return { ...one, factor: 1, offset: 0, part: isFirst ? 1 : 0 };
    }),
    units: formula.resultUnit || null,
    zone: (first && known.get(first.device)?.zone) ?? null,
  };
}

function drawnEntity(line: EntityLine, facts: LineFacts): Drawn | null {
  const { entities, known, tables } = facts;
  const entity = entities?.byId.get(line.entity);
  if (!entities || !entity) return null;
  const { streams, combine, units, ...reading } = readingOf(entities.world, line);
  const [first] = streams;
  if (!first) return null;
  return {
    ...{ table: '', source: entity.name, field: nameOfPart(line), combine, units },
    owner: entities.byId.get(entity.parent ?? '')?.name ?? '',
    streams: streams.map((one) => withPart(one, facts)),
    isStepped:
      reading.isStepped ||
      (streams.length === 1 && 'field' in line && isStepped(tables, line.table, line.field)),
    zone: zoneOf(entities, line.entity) ?? known.get(first.device)?.zone ?? null,
  };
}

function withPart(stream: CombinedSeries['streams'][number], { known }: LineFacts): LineStream {
  const sources = known.get(stream.device)?.sources ?? [];
  const alike = sources.filter(({ table, values }) => table === stream.table && stream.field in values);
  return { ...stream, part: 1 / Math.max(1, alike.length) };
}

/** What tells each line from the others; null for one that is called by what it is. */
function labelsOf(lines: readonly AnalysisLine[], { devices, entities }: LineFacts) {
  const streams = lines.filter(isStream);
  const areMany = new Set(streams.map(({ device }) => device)).size > 1;
  const ofEntities = lines.filter(isOfEntity).filter(({ entity }) => entities?.byId.has(entity));
  const ids = [...new Set(ofEntities.map(({ entity }) => entity))];
  const names = entities ? entityNames(entities, ids) : new Map<string, string>();
  const isOfOne = new Set(ofEntities.map(nameOfPart)).size === 1 && ids.length > 1;
  return (line: AnalysisLine): string | null => {
    if (isStream(line)) {
      const label = lineLabel(line, streams);
      return areMany ? `${nameOf(devices, line.device)} / ${label}` : label;
    }
    if (isFormula(line)) return null;
    const name = names.get(line.entity) ?? '';
    return isOfOne ? name : `${name} / ${nameOfPart(line)}`;
  };
}

const nameOf = (devices: readonly DeviceSummary[], id: string) =>
  devices.find((one) => one.id === id)?.name ?? id;
