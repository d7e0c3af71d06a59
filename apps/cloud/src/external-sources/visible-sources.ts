import type { DeviceScope } from '../access/device-scope.ts';
import type { ExternalSourceRow } from './external-sources.store.ts';

/** A source of a lookup table is of no device: whoever sees every device sees it. */
export const isVisible = ({ device }: Pick<ExternalSourceRow, 'device'>, scope: DeviceScope): boolean =>
  device === null ? scope.isAll : scope.has(device);
