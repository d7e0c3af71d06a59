import { searchesScreens } from '@albedo/contract/searches/searches.screens';
import { IconSearch } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminWorkgroup } from '../../app/areas.ts';
import { shell } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';
import { useSearchItems, useSearchLines } from './use-searches.ts';

const fresh = createRoute({
  getParentRoute: () => shell,
  path: '/search',
  staticData: { access: searchesScreens['/search'], title: 'searches.title', support: 'searches' },
  component: lazyRouteComponent(() => import('./search-page.tsx'), 'NewSearchPage'),
});

const kept = createRoute({
  getParentRoute: () => shell,
  path: '/search/$searchId',
  staticData: { access: searchesScreens['/search/$searchId'], title: 'searches.title', support: 'searches' },
  component: lazyRouteComponent(() => import('./search-page.tsx'), 'SavedSearchPage'),
});

const overview = createRoute({
  getParentRoute: () => adminWorkgroup,
  path: '/searches',
  staticData: {
    access: searchesScreens['/admin/workgroup/searches'],
    title: 'searches.title',
    support: 'searches',
    tab: { at: 36, context: 'searches.overviewContext', isFilling: true },
  },
  component: lazyRouteComponent(() => import('./search-overview.tsx'), 'SearchOverviewPage'),
});

/** Looks for anything in one table; searches are kept, shared and mailed. */
export const searches = {
  routes: [fresh, kept],
  workgroupRoutes: [overview],
  parts: {
    menu: [
      { at: 40, title: 'menu.searches', Icon: IconSearch, useMore: useSearchLines },
      { at: 10, under: 'menu.searches', title: 'searches.new', to: '/search', keys: 'g s' },
    ],
    palette: [
      {
        at: 20,
        category: 'searches',
        useItems: useSearchItems,
        addressOf: (id: string) => `/search/${id}`,
      },
    ],
  },
} as const satisfies Feature;
