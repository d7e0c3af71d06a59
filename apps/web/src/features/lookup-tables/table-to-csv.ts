import type { LookupTable, LookupValue } from '@albedo/contract/lookup-tables/lookup-tables.schema';
import type { Column } from '../../ui/data-table/column.ts';
import { textIn } from './words.ts';

/** The columns of a file that makes the same table when it is uploaded. */
export function csvColumns({ fields }: Pick<LookupTable, 'fields'>): Column<LookupValue>[] {
  const column = (title: string, value: (row: LookupValue) => string) => ({
    id: title,
    title,
    value,
    width: 0,
  });
  return [
    column('value', (row) => row.value),
    column('field', (row) => row.field ?? ''),
    ...fields.map(({ code }) => column(code, (row) => textIn(row, code))),
  ];
}
