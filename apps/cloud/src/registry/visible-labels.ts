import type { SourceLabels } from '@albedo/contract/labelling/labelling.schema';
import { type DeviceScope, seesSource } from '../access/device-scope.ts';
import type { RegisteredDevice } from './registry.ts';

/** How the sources of a device that the caller sees are labelled; one that stands below a hidden one stands by itself. */
export function visibleLabels(
  { id, sourceLabels }: Pick<RegisteredDevice, 'id' | 'sourceLabels'>,
  scope: DeviceScope,
): SourceLabels {
  const isSeen = (source: string) => seesSource(scope, id, source);
  return Object.fromEntries(
    Object.entries(sourceLabels)
      .filter(([source]) => isSeen(source))
      .map(([source, { labels, parent }]) => [
        source,
        { labels, parent: parent !== null && isSeen(parent) ? parent : null },
      ]),
  );
}
