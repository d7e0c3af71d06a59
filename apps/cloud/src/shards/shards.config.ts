import type { Config } from '../config/config.ts';

/**
 * True where several processes may speak with the devices of one broker, each with those of its shards. Otherwise all
 * devices are this process's.
 */
export const sharesDevices = ({ mqttUrl, databaseUrl }: Config): boolean =>
  mqttUrl !== null && databaseUrl !== null;
