import { approvalsScreens } from '@albedo/contract/approvals/approvals.api';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminAccess } from '../../app/areas.ts';
import type { Feature } from '../../app/feature.ts';

const list = createRoute({
  getParentRoute: () => adminAccess,
  path: '/approvals',
  staticData: {
    access: approvalsScreens['/admin/access/approvals'],
    title: 'approvals.title',
    support: 'access',
    tab: { at: 45, context: 'approvals.context', isFilling: true },
  },
  component: lazyRouteComponent(() => import('./approval-list.tsx'), 'ApprovalList'),
});

/** A second person agrees before somebody reaches into a device, where the workgroup wants it. */
export const approvals = {
  accessRoutes: [list],
  parts: {
    background: [
      { at: 55, Content: lazyRouteComponent(() => import('./approval-watch.tsx'), 'ApprovalWatch') },
    ],
    deviceTop: [
      { at: 10, Content: lazyRouteComponent(() => import('./device-approvals.tsx'), 'DeviceApprovals') },
    ],
    workgroupSettings: [
      {
        at: 81,
        Content: lazyRouteComponent(() => import('./approval-rule-card.tsx'), 'ApprovalRuleCard'),
      },
    ],
  },
} as const satisfies Feature;
