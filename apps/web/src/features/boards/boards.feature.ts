import { boardsScreens } from '@albedo/contract/boards/boards.screens';
import { IconLayoutDashboard } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminEntities } from '../../app/areas.ts';
import { shell } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';
import { getSession } from '../../app/session.ts';
import { useBoardItems, useBoardLines } from './use-board-lines.ts';

/** Around the three addresses of a board, so that it stays while its entity is swapped. */
const stage = createRoute({
  getParentRoute: () => shell,
  id: 'boards',
  loader: ({ params }) => {
    const wg = getSession()?.workgroup;
    const { board } = params as { board?: string };
    if (wg !== undefined) void import('./boards.ahead.ts').then(({ askAhead }) => askAhead(wg, board));
  },
  component: lazyRouteComponent(() => import('./board-page.tsx'), 'BoardPage'),
});

const common = { title: 'boards.title', support: 'dashboards', isFirst: true } as const;
const component = () => null;

const home = createRoute({
  getParentRoute: () => stage,
  path: '/entities/dash3',
  staticData: { ...common, access: boardsScreens['/entities/dash3'] },
  component,
});

const board = createRoute({
  getParentRoute: () => stage,
  path: '/entities/dash3/$board',
  staticData: { ...common, access: boardsScreens['/entities/dash3/$board'] },
  component,
});

const ofEntity = createRoute({
  getParentRoute: () => stage,
  path: '/entities/dash3/$board/$entity',
  staticData: { ...common, access: boardsScreens['/entities/dash3/$board/$entity'] },
  component,
});

const editor = lazyRouteComponent(() => import('./editor/editor-page.tsx'), 'EditorPage');

const fresh = createRoute({
  getParentRoute: () => shell,
  path: '/entities/dash3-edit',
  staticData: {
    access: boardsScreens['/entities/dash3-edit'],
    title: 'boards.newBoard',
    support: 'dashboards',
  },
  component: editor,
});

const kept = createRoute({
  getParentRoute: () => shell,
  path: '/entities/dash3-edit/$id',
  staticData: {
    access: boardsScreens['/entities/dash3-edit/$id'],
    title: 'boards.editBoard',
    support: 'dashboards',
  },
  component: editor,
});

const admin = createRoute({
  getParentRoute: () => adminEntities,
  path: '/dashboards',
  staticData: {
    access: boardsScreens['/admin/entities/dashboards'],
    title: 'boards.title',
    support: 'dashboards',
    tab: { at: 30, context: 'boards.adminContext', isFilling: true },
  },
  component: lazyRouteComponent(() => import('./board-list.tsx'), 'BoardListPage'),
});

/** Boards of widgets over entities and labels. */
export const boards = {
  routes: [stage.addChildren([home, board, ofEntity]), fresh, kept],
  entityRoutes: [admin],
  parts: {
    menu: [
      {
        at: 20,
        title: 'menu.dashboards',
        Icon: IconLayoutDashboard,
        dashboardOnly: true,
        useMore: useBoardLines,
      },
      {
        at: 10,
        under: 'menu.dashboards',
        title: 'boards.home',
        to: '/entities/dash3',
        also: '/entities/dash3',
        dashboardOnly: true,
        keys: 'g b',
      },
    ],
    display: [
      {
        at: 10,
        Content: lazyRouteComponent(() => import('./displays/display-page.tsx'), 'DisplayPage'),
      },
    ],
    palette: [
      {
        at: 15,
        category: 'dashboards',
        useItems: useBoardItems,
        addressOf: (id: string) => `/entities/dash3/${id}`,
        copy: 'search.dashboardId',
      },
    ],
  },
} as const satisfies Feature;
