import type { Incident } from '@albedo/contract/incidents/incidents.schema';
import type { PlantFinding } from '@albedo/contract/plants/plants.schema';

/** Whether an incident of the device tells what the plant found, so that it need not be told twice. */
export const isCovered = (
  { kind, source }: Pick<PlantFinding, 'kind' | 'source'>,
  incidents: readonly Incident[],
): boolean =>
  incidents.some((one) => {
    // Of a device that is away nothing comes from any source.
    if (one.kind === 'offline') return kind === 'silent';
    if (one.source !== source) return false;
    return one.kind === 'finding' ? one.finding === kind : one.kind === 'absent' && kind === 'silent';
  });
