import type { BulkAction } from '@albedo/contract/bulk-actions/bulk-actions.schema';
import { t } from 'i18next';

/** What is done, and to what where that says more. */
export const titleOf = ({ work, about }: BulkAction): string =>
  [t(`bulkActions.kinds.${work.kind}`), about].filter((part) => part !== '').join(': ');
