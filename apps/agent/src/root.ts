import { join } from 'node:path';
import { PRODUCT } from '@albedo/contract/product';

/** Where the agent keeps things. Every absolute path of the configuration is taken below `prefix`; `/` when installed. */
export interface Root {
  prefix: string;
  /** A path of the configuration as it is on this disk. */
  at(path: string): string;
  configFile: string;
  stateDirectory: string;
  socketDirectory: string;
  logDirectory: string;
  runDirectory: string;
}

export function rootAt(prefix: string): Root {
  const at = (path: string): string => join(prefix, path);
  return {
    prefix,
    at,
    configFile: at(`/etc/${PRODUCT}/${PRODUCT}.yaml`),
    stateDirectory: at(`/var/lib/${PRODUCT}`),
    socketDirectory: at(`/run/${PRODUCT}`),
    logDirectory: `/opt/${PRODUCT}/logs`,
    runDirectory: `/opt/${PRODUCT}/run`,
  };
}
