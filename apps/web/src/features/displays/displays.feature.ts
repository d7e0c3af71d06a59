import { displaysScreens } from '@albedo/contract/displays/displays.screens';
import { createRoute } from '@tanstack/react-router';
import { root } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';
import { loadAllTexts } from '../../app/i18n.ts';
import { screenAt } from '../../app/later.ts';

const display = createRoute({
  getParentRoute: () => root,
  path: '/display',
  staticData: { access: displaysScreens['/display'], isUnlisted: true },
  loader: loadAllTexts,
  component: screenAt('display'),
});

/** Screens that show something by a link, without a sign-in. */
export const displays = { publicRoutes: [display] } as const satisfies Feature;
