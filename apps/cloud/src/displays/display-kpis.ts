import { type AskedKpi, kpiKey } from '@albedo/contract/boards/asked-streams';
import type { KpiFigure } from '@albedo/contract/boards/widgets/parts';
import type {
  ShownKpi,
  ShownKpiQuestion,
  ShownKpiRowsQuestion,
} from '@albedo/contract/displays/displays.schema';
import type { Kpi, KpiAnswer, KpiQuestion, KpiRows } from '@albedo/contract/kpis/kpis.schema';
import { RELATIVE_UNITS, rangeFromText, rangeToText, type TimeRange } from '@albedo/contract/time/ranges';
import type { Caller } from '../access/caller.ts';
import { AppError } from '../errors/app-error.ts';
import type { Kpis } from '../kpis/kpis.service.ts';

/** Stands for the range of a widget that has none of its own, where people choose the range. */
const CHOSEN = 'chosen';
/** Ranges without days of their own move on in such steps: each new question is computed anew, ms. */
const STEP_MS = 5 * 60_000;

/** The values of KPIs that a display may ask for, by `kpiKey`. */
export type AskedKpis = ReadonlyMap<string, AskedKpi>;

/** A range as it stands in an address, always written the same way; null for a text that is none. */
export function plainRange(text: string | null | undefined): string | null {
  const range = rangeFromText(text ?? null);
  return range && rangeToText(range);
}

/** What a widget asks for, with the range that it asks for on a page. */
export const onPage = (asked: AskedKpi, ofPage: string, isRangeFree: boolean): AskedKpi => ({
  ...asked,
  range: plainRange(asked.range) ?? (isRangeFree ? CHOSEN : ofPage),
});

/** The KPIs of a display by their names, and of these only the values that its widgets show. */
export function shownKpis(asked: AskedKpis, all: readonly Kpi[]): ShownKpi[] {
  const byKpi = Map.groupBy(asked.values(), ({ figure }) => figure.kpi);
  return all.flatMap(({ _id, name, version, values }) => {
    const figures = byKpi.get(_id);
    if (!figures) return [];
    const names = new Set(figures.map(({ figure }) => figure.value));
    const shown = Object.entries(values).filter(([value]) => names.has(value));
    const titles = shown.map(([value, { displayName }]) => [value, { displayName }]);
    return [{ _id, name, version, values: Object.fromEntries(titles) }];
  });
}

/** Throws `display.not_asked`, and what `Kpis.ask` throws. */
export async function answerShown(
  kpis: Pick<Kpis, 'ask'>,
  { caller, asked }: { caller: Caller; asked: AskedKpis },
  { entity, interval, ...question }: ShownKpiQuestion,
  signal: AbortSignal,
): Promise<KpiAnswer> {
  const { figure, ...range } = demandAsked(asked, question, [entity]);
  const one = { entity, ...range, detail: false, ...(interval ? { interval } : {}) };
  const answer = await kpis.ask(caller, figure.kpi, one, signal);
  const found = named(answer.values, figure).map(([name, { formula: _formula, ...result }]) => [
    name,
    { ...result, uses: [] },
  ]);
  return { ...answer, values: Object.fromEntries(found) };
}

/** Throws `display.not_asked`, and what `Kpis.rows` throws. */
export async function rowsShown(
  kpis: Pick<Kpis, 'rows'>,
  { caller, asked }: { caller: Caller; asked: AskedKpis },
  { entities, ...question }: ShownKpiRowsQuestion,
  signal: AbortSignal,
): Promise<KpiRows> {
  const { figure, ...range } = demandAsked(asked, question, entities);
  const answer = await kpis.rows(caller, figure.kpi, { entities, ...range }, signal);
  const columns = named(answer.columns, figure);
  const names = columns.map(([name]) => name);
  return {
    ...answer,
    columns: Object.fromEntries(columns),
    rows: answer.rows.map((row) => ({
      ...row,
      values: Object.fromEntries(Object.entries(row.values).filter(([name]) => names.includes(name))),
    })),
  };
}

/** What of a question the server is asked for, once the display is known to ask it. */
function demandAsked(
  asked: AskedKpis,
  { kpi, value, range: text, timezone }: Omit<ShownKpiQuestion, 'entity' | 'interval'>,
  entities: readonly string[],
): Pick<KpiQuestion, 'from' | 'to' | 'timeframe' | 'timezone'> & { figure: KpiFigure } {
  const range = rangeFromText(text);
  const figure = { kpi, ...(value === undefined ? {} : { value }) };
  const isAsked = (entity: string): boolean =>
    [CHOSEN, plainRange(text)].some((one) => asked.has(kpiKey({ figure, entity, range: one })));
  if (!range || !entities.every(isAsked)) throw new AppError('display.not_asked');
  return { figure, timezone, ...momentsOf(range, Date.now()) };
}

function momentsOf(range: TimeRange, now: number): Pick<KpiQuestion, 'from' | 'to' | 'timeframe'> {
  if (range.kind === 'preset') return { timeframe: range.preset };
  if (range.kind === 'absolute') return { from: range.from, to: range.to };
  if (range.kind === 'all') throw new AppError('display.not_asked');
  const to = Math.floor(now / STEP_MS) * STEP_MS;
  return { from: to - Math.max(STEP_MS, range.amount * RELATIVE_UNITS[range.unit]), to };
}

/** The value that is asked for, by its name; without one the primary value. */
const named = <T extends { isPrimary: boolean }>(
  values: Readonly<Record<string, T>>,
  { value }: KpiFigure,
): [string, T][] =>
  Object.entries(values).filter(([name, { isPrimary }]) =>
    value === undefined ? isPrimary : name === value,
  );
