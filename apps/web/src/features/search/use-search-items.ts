import { member } from '@albedo/contract/access/access';
import { useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { SearchSource } from '../../app/feature.ts';
import { denialOf, visitorOf } from '../../app/guard.ts';
import { announced } from '../../app/inside.ts';
import { useSignedIn } from '../../app/session.ts';
import { indexItems, type SearchIndex, type SearchItem } from './search-items.ts';

/** What a feature announced under the name of its category; the pages are found in any case. */
export const sourceOf = (category: string): SearchSource | undefined =>
  announced('palette').find((one) => one.category === category);

export const searchCategories = (): string[] => [
  ...announced('palette').map(({ category }) => category),
  'pages',
  'actions',
];

/** Everything the user may find in their workgroup; `error` tells that something is missing from it. */
export function useSearchIndex(): { index: SearchIndex; error: Error | null } {
  const pages = usePages();
  const actions = useActions();
  // biome-ignore lint/correctness/useHookAtTopLevel: they are the same ones each time.
  const found = announced('palette').map(({ category, useItems }) => ({ category, ...useItems() }));
  const lists = found.map(({ items }) => items);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lists are what changes.
  const index = useMemo(() => {
    const all = found.flatMap(({ category, items }) => items.map((item) => ({ category, ...item })));
    return indexItems([...all, ...pages, ...actions]);
  }, [...lists, pages, actions]);
  return { index, error: found.find(({ error }) => error)?.error ?? null };
}

/** What can be done now; the same list as long as none comes or goes. */
function useActions(): SearchItem[] {
  // biome-ignore lint/correctness/useHookAtTopLevel: they are the same ones each time.
  const commands = announced('commands').flatMap(({ useCommands }) => useCommands());
  const offered = commands.filter(({ isOnlyKeys, group }) => !isOnlyKeys && group !== 'go');
  const key = offered.map(({ id, title }) => `${id} ${title}`).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: what they are called is what changes.
  return useMemo(
    () => offered.map(({ id, title, run, keys }) => ({ category: 'actions', id, title, run, keys })),
    [key],
  );
}

/** The routes without parameters that the user may open. */
function usePages(): SearchItem[] {
  const { t } = useTranslation();
  const { routesByPath } = useRouter();
  const session = useSignedIn();
  return useMemo(() => {
    const visitor = visitorOf(session);
    if (!visitor) return [];
    return Object.values(routesByPath).flatMap(({ id, fullPath, options: { staticData } }): SearchItem[] => {
      const isPage = id.startsWith('/shell') && staticData?.title && !staticData.isUnlisted;
      if (!isPage || fullPath.includes('$') || denialOf(staticData.access ?? member, visitor)) return [];
      return [{ category: 'pages', id: fullPath, title: t(staticData.title ?? '') }];
    });
  }, [routesByPath, session, t]);
}
