import { OWNER, type TestCloud } from '../../apps/cloud/src/testing/test-cloud.ts';

/**
 * A session of the owner, who confirmed `agoS` seconds ago that it is them; by default a second from now. Each
 * confirmation opens one thing, and what is confirmed counts by the second.
 */
export async function confirmed({ cloud }: TestCloud, agoS = -1): Promise<string> {
  const { sessions, users } = cloud.features;
  const owner = await users.userByEmail(OWNER.email);
  if (!owner) throw new Error('there is no owner');
  const claims = await sessions.verify(await sessions.issue(owner));
  return sessions.renew(claims, {
    confirmedAt: Math.floor(Date.now() / 1000) - agoS,
    confirmedWith: 'password',
  });
}
