import { isIP } from 'node:net';

/** What an entry of the configuration says; null for one that cannot be read. */
export function readReach(entry: string): { host: string; bits: number | null; port: number | null } | null {
  const [, bracketed, plain, bits, port] =
    /^(?:\[([0-9a-fA-F:.]+)\]|([^\s[\]:/]+))(?:\/(\d{1,3}))?(?::(\d{1,5}|\*))?$/.exec(entry.trim()) ?? [];
  const host = (bracketed ?? plain)?.toLowerCase();
  if (host === undefined) return null;
  const family = isIP(host);
  if (bits !== undefined && (family === 0 || Number(bits) > (family === 4 ? 32 : 128))) return null;
  if (port !== undefined && port !== '*' && (Number(port) < 1 || Number(port) > 65_535)) return null;
  return {
    host,
    bits: bits === undefined ? null : Number(bits),
    port: port === undefined || port === '*' ? null : Number(port),
  };
}
