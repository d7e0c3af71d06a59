import { ACCESS_CONTROL_ADDON } from '@albedo/contract/access-control/access-control.addon';
import { accessControlScreens } from '@albedo/contract/access-control/access-control.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminAccess } from '../../app/areas.ts';
import type { Feature } from '../../app/feature.ts';
import { ruleDenialOf } from '../../app/guard.ts';
import { getSession } from '../../app/session.ts';
import { loadMyAccess } from './access-control.queries.ts';

const rules = createRoute({
  getParentRoute: () => adminAccess,
  path: '/access-control',
  staticData: {
    access: accessControlScreens['/admin/access/access-control'],
    title: 'accessControl.tab',
    support: 'access',
    tab: { at: 40, context: 'access.context.access-control', addon: ACCESS_CONTROL_ADDON },
  },
  component: lazyRouteComponent(() => import('./access-control-page.tsx'), 'AccessControlPage'),
});

/** Rules on resources, for workgroups that have the addon. */
export const accessControl = {
  accessRoutes: [rules],
  /** Guard 7 of the specification: the rules, which the server tells. */
  denial: async (screen, workgroup) => {
    const facts = getSession()?.workgroups?.find(({ name }) => name === workgroup);
    const isOn = facts?.addons.some(({ id }) => id === ACCESS_CONTROL_ADDON);
    if (!isOn || !screen.rule) return null;
    if (ruleDenialOf(screen, await loadMyAccess(workgroup)) === null) return null;
    // A rule that allows it may have just been made, and the word of it may still be on its way.
    return ruleDenialOf(screen, await loadMyAccess(workgroup, { isOfNow: true }));
  },
  parts: {
    background: [{ at: 20, Content: lazyRouteComponent(() => import('./follow-rules.tsx'), 'FollowRules') }],
  },
} as const satisfies Feature;
