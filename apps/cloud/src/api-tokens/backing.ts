import { CONFIGURING, type RevokedBecause } from '@albedo/contract/api-tokens/api-tokens.schema';
import type { ApiTokenRow, Maker } from './api-tokens.store.ts';

/** Why a token has nobody behind it any more; null while who made it could make it again. */
export function lostBecause(
  token: Pick<ApiTokenRow, 'permissions' | 'devGroup'>,
  maker: Maker,
): RevokedBecause | null {
  if (!maker) return 'maker_left';
  const { role, permissions, devGroup, deviceScopes } = maker;
  const holds = (one: string) => role === 'owner' || (permissions as string[]).includes(one);
  const runsCommands = ['owner', 'admin', 'power'].includes(role) || deviceScopes.includes('rpc');
  const mayGive =
    holds('manageAccess') &&
    token.permissions.every((one) => one === 'read' || holds(one)) &&
    (!token.permissions.includes('controlDevices') || runsCommands) &&
    (!token.permissions.includes(CONFIGURING) || role === 'owner') &&
    (devGroup === null || devGroup === token.devGroup);
  return mayGive ? null : 'maker_lost_rights';
}
