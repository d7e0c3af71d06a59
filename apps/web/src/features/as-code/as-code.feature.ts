import { asCodeScreens } from '@albedo/contract/as-code/as-code.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminWorkgroup } from '../../app/areas.ts';
import type { Feature } from '../../app/feature.ts';

const page = createRoute({
  getParentRoute: () => adminWorkgroup,
  path: '/code',
  staticData: {
    access: asCodeScreens['/admin/workgroup/code'],
    title: 'asCode.title',
    support: 'as-code',
    tab: { at: 60, context: 'asCode.context' },
  },
  component: lazyRouteComponent(() => import('./as-code-page.tsx'), 'AsCodePage'),
});

/** A workgroup's things as YAML, and what bulk edits can be undone. */
export const asCode = { workgroupRoutes: [page] } as const satisfies Feature;
