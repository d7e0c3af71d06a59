import type { Column, PluginRecord, Value } from './record.ts';

/** Counters of energy and the like: their newest state counts, never a mean. */
const isCounter = ({ units = '' }: Column): boolean => /h$/i.test(units);

/**
 * What was read of machines since the last record, one mean for each column: of numbers, except counters. Of everything
 * else the newest value counts, and a value that was not measured is left out.
 */
export class Samples {
  readonly #records = new Map<string, { newest: PluginRecord; values: Value[][] }>();

  add(record: PluginRecord): void {
    const columns = record.columns.map(({ name }) => name).join('\n');
    const key = [record.table, ...record.source, columns].join('\0');
    const known = this.#records.get(key) ?? { newest: record, values: [] };
    known.newest = record;
    known.values.push(record.values);
    this.#records.set(key, known);
  }

  /** The records of all machines, and begins again. */
  take(): PluginRecord[] {
    const records = [...this.#records.values()].map(({ newest, values }) => ({
      ...newest,
      values: newest.columns.map((column, index) =>
        combined(
          column,
          values.map((row) => row[index] ?? null),
        ),
      ),
    }));
    this.#records.clear();
    return records;
  }
}

function combined(column: Column, values: Value[]): Value {
  const measured = values.filter((value) => value !== null);
  const numbers = measured.filter((value) => typeof value === 'number' && Number.isFinite(value)) as number[];
  if (isCounter(column) || numbers.length === 0 || numbers.length < measured.length)
    return measured.at(-1) ?? null;
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  return column.type === 'integer' ? Math.round(mean) : Number(mean.toPrecision(12));
}
