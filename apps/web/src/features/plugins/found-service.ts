import { pluginName, serviceName } from '@albedo/contract/plugins/plugins.schema';
import { useSearch } from '@tanstack/react-router';
import { z } from 'zod';

/** Arguments of a service that a scan knows; they stand in the address, so that the way here can be linked. */
const foundService = z.object({
  plugin: pluginName,
  service: serviceName,
  endpoint: z.string().max(253),
  // An address with numbers alone is read as numbers.
  bus_addresses: z.coerce.string().max(2000),
  port: z.coerce.string().max(5),
});

/** What a new service begins with. */
export interface BeginWith {
  plugin: string;
  name: string;
  values: Readonly<Record<string, string>>;
}

/** The service that a scan leads to; null where the address names none. */
export function useFoundService(): BeginWith | null {
  const { success, data } = foundService.safeParse(useSearch({ strict: false }));
  if (!success) return null;
  const { plugin, service: name, ...values } = data;
  return { plugin, name, values };
}

/** Takes it out of the address again. */
export const NO_FOUND_SERVICE = Object.fromEntries(
  Object.keys(foundService.shape).map((key) => [key, undefined]),
);
