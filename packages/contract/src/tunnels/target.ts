import type { NewTunnel } from './tunnels.schema.ts';

/** Where a tunnel leads, in one line, such as `tcp 192.168.1.20:502`. */
export const tunnelTarget = ({ kind, host, port }: NewTunnel): string => `${kind} ${host}:${port}`;
