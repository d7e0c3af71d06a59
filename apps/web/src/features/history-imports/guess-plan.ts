import type {
  HistoryImport,
  HistoryPreview,
  historyPlan,
} from '@albedo/contract/history-imports/history-imports.schema';
import type { z } from 'zod';
import type { MappingInput } from '../../app/mapping/mapping-fields.tsx';

/** A guess from what the columns have, so that little is left to choose. */
export function firstPlan(
  { format, name }: Pick<HistoryImport, 'format' | 'name'>,
  beginning: Pick<
    HistoryPreview,
    'columns' | 'profiles' | 'layout' | 'timeColumn' | 'clockColumn' | 'isWhole'
  >,
  timezone: string,
): z.input<typeof historyPlan> {
  const { columns, timeColumn, clockColumn, layout } = beginning;
  const isLines = format === 'lines';
  const column = timeColumn ?? (isLines ? 'time' : '');
  const timeFormat = guessTimeFormat(beginning, column);
  return {
    device: null,
    deviceColumn: columns.find((one) => /^device$/i.test(one)) ?? null,
    tableColumn: isLines ? 'measurement' : null,
    devices: {},
    existing: 'skip',
    layout,
    mapping: {
      table:
        name
          .replace(/\.[^.]*$/, '')
          .replace(/[^\w-]+/g, '_')
          .toLowerCase() || 'history',
      source: 'import',
      sourceColumn: columns.find((one) => /^source$/i.test(one)) ?? null,
      timeColumn: column,
      clockColumn,
      timeFormat:
        timeFormat !== undefined ? timeFormat : !beginning.isWhole ? null : isLines ? 'epoch_ns' : 'iso',
      timezone,
      standardTime: false,
      fields: [],
    },
  };
}

/**
 * How the times of a column are written; null where they can be read in two ways or only a part of them was seen, and undefined
 * where they are none.
 */
export function guessTimeFormat(
  { profiles, isWhole }: Pick<HistoryPreview, 'profiles' | 'isWhole'>,
  column: string,
): MappingInput['timeFormat'] | null {
  const format = profiles.find(({ name }) => name === column)?.timeFormat;
  return format && (format === 'unclear' || !isWhole) ? null : (format ?? undefined);
}
