import type { DeviceScope } from '../access/device-scope.ts';
import type { ExternalSourceRow } from './external-sources.store.ts';

/** A source of a lookup table has no device, so only callers who see every device see it. */
export const isVisible = ({ device }: Pick<ExternalSourceRow, 'device'>, scope: DeviceScope): boolean =>
  device === null ? scope.isAll : scope.has(device);
