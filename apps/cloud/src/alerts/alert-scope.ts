import type { AlertScope } from '@albedo/contract/alerts/alerts.schema';
import type { Entity } from '@albedo/contract/entities/entities.schema';
import { isLabelled } from '@albedo/contract/labelling/labelling.schema';
import type { DeviceRegistry } from '../registry/registry.ts';

/** Whether a source of a device is meant; `source` null asks for the device as a whole. */
export type InScope = (device: string, source: string | null) => boolean;

const EVERYTHING: InScope = () => true;

/** Whether a source has a label as devices are now; `source` null asks for any of the device. */
export type HasLabel = (label: string, device: string, source: string | null) => boolean;

const NONE: HasLabel = () => false;

/** How the sources of devices are labelled at the moment of each question. */
export const labelsIn =
  (registry: Pick<DeviceRegistry, 'known'>): HasLabel =>
  (label, device, source) => {
    const labels = registry.known(device)?.sourceLabels ?? {};
    const sources = source === null ? Object.keys(labels) : [source];
    return sources.some((one) => isLabelled(labels, one, label));
  };

/** What a scope comes to, with the entities as they are now. */
export function inScope(
  scope: AlertScope,
  entities: ReadonlyMap<string, Entity>,
  hasLabel: HasLabel = NONE,
): InScope {
  switch (scope.kind) {
    case 'all':
      return EVERYTHING;
    case 'devices': {
      const devices = new Set(scope.devices);
      return (device) => devices.has(device);
    }
    case 'sources':
      return ofSources(scope.sources.map(({ device, source }) => [device, source]));
    case 'label': {
      const roots = [...entities.values()].filter(({ labels }) => labels.includes(scope.label));
      const isOfEntity = ofEntities(
        roots.map(({ _id }) => _id),
        entities,
      );
      return (device, source) => isOfEntity(device, source) || hasLabel(scope.label, device, source);
    }
    case 'entities':
      return ofEntities(scope.entities, entities);
  }
}

/** The sources of entities and of all below them. */
function ofEntities(roots: readonly string[], entities: ReadonlyMap<string, Entity>): InScope {
  const seen = new Set(roots);
  for (const id of seen) for (const child of entities.get(id)?.children ?? []) seen.add(child);
  return ofSources(
    [...seen].flatMap((id) => {
      const signals = entities.get(id)?.signals;
      return [...(signals?.sources ?? []), ...(signals?.fields ?? [])].map(
        ({ deviceId, source }): [string, string] => [deviceId.toLowerCase(), source],
      );
    }),
  );
}

function ofSources(pairs: readonly [string, string][]): InScope {
  const sources = new Set(pairs.map(([device, source]) => `${device} ${source}`));
  const devices = new Set(pairs.map(([device]) => device));
  return (device, source) => (source === null ? devices.has(device) : sources.has(`${device} ${source}`));
}
