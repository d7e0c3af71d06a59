import { calculationsScreens } from '@albedo/contract/calculations/calculations.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminData } from '../../app/areas.ts';
import { shell } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';

const list = createRoute({
  getParentRoute: () => adminData,
  path: '/calculations',
  staticData: {
    access: calculationsScreens['/admin/data/calculations'],
    title: 'calculations.title',
    support: 'calculations',
    tab: { at: 45, context: 'calculations.context', addon: 'calculations' },
  },
  component: lazyRouteComponent(() => import('./calculation-list.tsx'), 'CalculationList'),
});

const definition = createRoute({
  getParentRoute: () => shell,
  path: '/admin/data/calculations/$calculation',
  staticData: {
    access: calculationsScreens['/admin/data/calculations/$calculation'],
    title: 'calculations.one',
    support: 'calculations',
  },
  component: lazyRouteComponent(() => import('./definition-page.tsx'), 'DefinitionPage'),
});

const results = createRoute({
  getParentRoute: () => shell,
  path: '/kpis/calculation/$calculationId',
  staticData: {
    access: calculationsScreens['/kpis/calculation/$calculationId'],
    title: 'calculations.one',
    support: 'calculations',
  },
  component: lazyRouteComponent(() => import('./results-page.tsx'), 'ResultsPage'),
});

/** Formulas whose results are written as records, and where each comes from. */
export const calculations = {
  dataRoutes: [list],
  routes: [definition, results],
  parts: {
    findings: [{ at: 50, load: () => import('./calculations.findings.ts') }],
  },
} as const satisfies Feature;
