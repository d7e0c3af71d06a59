import { glanceApi } from '@albedo/contract/glance/glance.api';
import { callerOf } from '../access/caller.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import { type GlanceParts, GlanceService } from './glance.service.ts';

/** How the plants are doing, at a glance. */
export function openGlance(of: GlanceParts): Feature<GlanceService> {
  const glance = new GlanceService(of);
  return {
    name: 'glance',
    service: glance,
    routes: (app) => bind(app, glanceApi, { get: (call) => glance.of(callerOf(call)) }),
  };
}
