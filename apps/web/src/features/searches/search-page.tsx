import type { SavedSearch } from '@albedo/contract/searches/searches.schema';
import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { Page } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { fromSaved, NO_DRAFT } from './search-draft.ts';
import { SearchScreen } from './search-screen.tsx';
import { savedSearchQuery } from './searches.queries.ts';

/** Looks for anything in one table. */
export function NewSearchPage() {
  return <SearchScreen kept={NO_DRAFT} saved={null} />;
}

/** A search that somebody kept. */
export function SavedSearchPage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { searchId = '' } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(savedSearchQuery(wg, searchId));
  if (error) {
    return (
      <Page title={t('searches.title')}>
        <ErrorState title={t('searches.openFailed')} error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  if (!data) {
    return (
      <Page title={<Skeleton height={24} width={220} />}>
        <Stack>
          <Skeleton height={36} />
          <Skeleton height={420} />
        </Stack>
      </Page>
    );
  }
  return <Kept key={searchId} saved={data} />;
}

function Kept({ saved }: { saved: SavedSearch }) {
  const kept = useMemo(() => fromSaved(saved), [saved]);
  return <SearchScreen kept={kept} saved={saved} />;
}
