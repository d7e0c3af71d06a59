import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Span } from '../../ui/time-range/time-range.ts';
import { rowsSearch } from '../series/rows-search.ts';

interface RowsLinkProps {
  stream: Parameters<typeof rowsSearch>[0];
  span: Span;
  zone: string;
}

/** Leads to the very rows that a number was made of. */
export function RowsLink({ stream, span, zone }: RowsLinkProps) {
  const { t } = useTranslation();
  return (
    <Anchor
      component={Link}
      to="/search"
      search={rowsSearch(stream, span, zone) as never}
      size="sm"
      aria-label={t('lineage.rowsOf', { field: stream.field, source: stream.source })}
    >
      {t('lineage.rows')}
    </Anchor>
  );
}
