import type { Feature } from '../house/feature.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { prometheusRoutes } from './prometheus.routes.ts';
import { Prometheus } from './prometheus.service.ts';

/** Telemetry for Grafana and whatever else speaks to Prometheus. */
export function openPrometheus(of: { telemetry: Telemetry; registry: DeviceRegistry }): Feature<Prometheus> {
  const prometheus = new Prometheus(of.telemetry, of.registry);
  return { name: 'prometheus', service: prometheus, routes: (app) => prometheusRoutes(app, prometheus) };
}
