import type { DataTable } from '@albedo/contract/data-tables/data-tables.schema';
import type { TFunction } from 'i18next';

/** How long a table keeps its events, in words. */
export const retentionText = (t: TFunction, { retentionDays }: Pick<DataTable, 'retentionDays'>): string =>
  retentionDays === null ? t('dataTables.forEver') : t('dataTables.days', { count: retentionDays });
