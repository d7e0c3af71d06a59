import type { SavedSearch } from '@albedo/contract/searches/searches.schema';
import { Anchor, Button, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../app/call.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { fromSaved, NO_DRAFT } from './search-draft.ts';
import { SearchScreen } from './search-screen.tsx';
import { savedSearchQuery } from './searches.queries.ts';
import { useSearchItems } from './use-searches.ts';

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
  // A malformed id in the address answers 400, an unknown one 404.
  if (error instanceof ApiError && (error.code === 404 || error.code === 400)) return <Missing />;
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
          <TableSkeleton rows={11} />
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

/** How many saved searches the page offers when none is chosen; the menu has them all. */
const MOST_OFFERED = 12;

/** Shown if the address names no search: links to the saved ones. */
function Missing() {
  const { t } = useTranslation();
  const { items } = useSearchItems();
  return (
    <Page title={t('searches.title')}>
      <EmptyState
        title={t('searches.missing')}
        text={t(items.length > 0 ? 'searches.missingText' : 'searches.missingAlone')}
      >
        {items.slice(0, MOST_OFFERED).map(({ id, title }) => (
          <Anchor key={id} component={Link} to={`/search/${id}`}>
            {title}
          </Anchor>
        ))}
        <Button component={Link} to="/search" variant="default">
          {t('searches.new')}
        </Button>
      </EmptyState>
    </Page>
  );
}
