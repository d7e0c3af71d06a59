import { can } from '@albedo/contract/access/access';
import { energyScreens } from '@albedo/contract/energy/energy.screens';
import { entitiesScreens } from '@albedo/contract/entities/entities.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from './base.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Stands around the screens below it: the title of all of them (key of the language file), and their tabs. */
    area?: { title: string };
    /** The screen is a tab of its area, called by its `title`. */
    tab?: AreaTab;
  }
}

interface AreaTab {
  /** Its place among the others: tens, so that others fit between. */
  at: number;
  /** Key of the line under the title. */
  context: string;
  /** It takes exactly the height of the window. */
  isFilling?: boolean;
  /** Without this addon the tab is not offered. */
  addon?: string;
}

const component = lazyRouteComponent(() => import('./area-page.tsx'), 'AreaPage');

/** Around every screen of Admin > Access. Each screen has a guard of its own. */
export const adminAccess = createRoute({
  getParentRoute: () => shell,
  path: '/admin/access',
  staticData: { area: { title: 'members.title' } },
  component,
});

/** Around every screen of Admin > Workgroup. */
export const adminWorkgroup = createRoute({
  getParentRoute: () => shell,
  path: '/admin/workgroup',
  staticData: { area: { title: 'workgroup.title' } },
  component,
});

/** Around every screen of Admin > Data. */
export const adminData = createRoute({
  getParentRoute: () => shell,
  path: '/admin/data',
  staticData: { access: can('coordinate'), area: { title: 'menu.data' } },
  component,
});

/** Around every screen of Admin > Entities. */
export const adminEntities = createRoute({
  getParentRoute: () => shell,
  path: '/admin/entities',
  staticData: { access: entitiesScreens['/admin/entities'], area: { title: 'menu.entities' } },
  component,
});

/** Around every report. */
export const reportArea = createRoute({
  getParentRoute: () => shell,
  path: '/report',
  staticData: { access: energyScreens['/report'], area: { title: 'menu.report' } },
  component,
});

/** Around every configuration of reports. */
export const adminReports = createRoute({
  getParentRoute: () => shell,
  path: '/admin/reports',
  staticData: { access: energyScreens['/admin/reports'], area: { title: 'menu.reports' } },
  component,
});
