import type {
  HistoryAsk,
  HistoryColumn,
  HistoryFormat,
  HistoryPlan,
} from '@albedo/contract/history-imports/history-imports.schema';
import type { ColumnProfiles } from '../mapping/column-profiles.ts';
import type { SettledPlan } from './history-mapper.ts';

const isNumeric = ({ type }: HistoryPlan['mapping']['fields'][number]): boolean =>
  type === 'decimal' || type === 'integer';

/** Whether a plan leaves something for the values of the file to decide. */
export const isOpen = ({ layout, mapping }: HistoryPlan, format: HistoryFormat): boolean =>
  mapping.timeFormat === null ||
  ((format === 'csv' || format === 'xlsx') && layout === null) ||
  ((format === 'csv' || format === 'xlsx') &&
    mapping.fields.some((field) => isNumeric(field) && field.decimal === null));

/** The plan completed by the values of the file, and the questions that they leave open. */
export function settle(
  plan: HistoryPlan,
  of: {
    format: HistoryFormat;
    layout: HistoryPlan['layout'];
    columns: readonly HistoryColumn[];
    profiles: ColumnProfiles;
  },
): { plan: SettledPlan; asks: HistoryAsk[] } {
  const { mapping } = plan;
  const byName = new Map(of.columns.map((column) => [column.name, column]));
  const asks: HistoryAsk[] = [];
  const time = byName.get(mapping.timeColumn);
  const format = mapping.timeFormat ?? time?.timeFormat ?? (of.format === 'lines' ? 'epoch_ns' : 'iso');
  if (format === 'unclear')
    asks.push({ what: 'timeFormat', column: mapping.timeColumn, example: time?.example ?? '' });
  const fields = mapping.fields.map((field) => {
    const column = byName.get(field.column);
    if (field.decimal !== null || !isNumeric(field) || !column?.decimal) return field;
    if (column.decimal !== 'unclear') return { ...field, decimal: column.decimal };
    asks.push({ what: 'decimal', column: field.column, example: column.example });
    return field;
  });
  const timeFormat = format === 'unclear' ? 'dmy' : format;
  const clockColumn = mapping.clockColumn ?? of.profiles.clockBeside(mapping.timeColumn);
  return {
    plan: {
      ...plan,
      layout: plan.layout ?? of.layout,
      mapping: { ...mapping, timeFormat, clockColumn, fields },
    },
    asks,
  };
}
