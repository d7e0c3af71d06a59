import type { BulkReply } from '@albedo/contract/http/bulk';
import { membersApi } from '@albedo/contract/members/members.api';
import type { Invite, MemberChange, MemberInfo, NewInvite } from '@albedo/contract/members/members.schema';
import { mfaApi } from '@albedo/contract/mfa/mfa.api';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { followList, unlessTold } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';

const keys = {
  members: (wg: string) => ['members', wg] as const,
  invites: (wg: string) => ['invites', wg] as const,
  mfa: (wg: string) => ['mfa-policy', wg] as const,
};

/** Others change people too; between two looks while no event announces it, ms. */
const FRESH_MS = 15_000;

// The policy stands with the members.
followList('members', ['members', 'mfa-policy']);
followList('invites', ['invites']);

/** The members of a workgroup, by name. */
export const membersQuery = (wg: string) =>
  queryOptions({
    queryKey: keys.members(wg),
    queryFn: ({ signal }) => call(membersApi.list, { params: { wg } }, signal),
    refetchInterval: unlessTold(FRESH_MS),
  });

/** The invitations that are not answered, newest first. */
export const invitesQuery = (wg: string) =>
  queryOptions({
    queryKey: keys.invites(wg),
    queryFn: ({ signal }) => call(membersApi.invites, { params: { wg } }, signal),
    refetchInterval: unlessTold(FRESH_MS),
  });

/** Whether the workgroup demands two-factor authentication. */
export const mfaPolicyQuery = (wg: string) =>
  queryOptions({
    queryKey: keys.mfa(wg),
    queryFn: ({ signal }) => call(mfaApi.policy, { params: { wg } }, signal),
  });

export async function setMfaPolicy(wg: string, required: boolean): Promise<void> {
  const policy = await call(mfaApi.setPolicy, { params: { wg }, body: { required } });
  queryClient.setQueryData(keys.mfa(wg), policy);
}

/** The member's sessions end with it. */
export async function changeMember(wg: string, member: string, change: MemberChange): Promise<void> {
  const changed = await call(membersApi.update, { params: { wg, member }, body: change });
  queryClient.setQueryData<MemberInfo[]>(keys.members(wg), (old) =>
    old?.map((one) => (one._id === member ? changed : one)),
  );
}

export async function removeMember(wg: string, member: string): Promise<void> {
  await call(membersApi.remove, { params: { wg, member } });
  queryClient.setQueryData<MemberInfo[]>(keys.members(wg), (old) => old?.filter((one) => one._id !== member));
}

/** Answers the people it failed for, as the other two do. */
export async function bindMembers(wg: string, ids: string[], devGroup: string | null): Promise<BulkReply> {
  const reply = await call(membersApi.bindSeveral, { params: { wg }, body: { ids, devGroup } });
  await queryClient.invalidateQueries({ queryKey: keys.members(wg) });
  return reply;
}

export async function removeMembers(wg: string, ids: string[]): Promise<BulkReply> {
  const reply = await call(membersApi.removeSeveral, { params: { wg }, body: { ids } });
  await queryClient.invalidateQueries({ queryKey: keys.members(wg) });
  return reply;
}

/** Sends several invitations again, or takes them back. */
export async function changeInvites(wg: string, ids: string[], how: 'resend' | 'remove'): Promise<BulkReply> {
  const several = how === 'resend' ? membersApi.resendInvites : membersApi.removeInvites;
  const reply = await call(several, { params: { wg }, body: { ids } });
  await queryClient.invalidateQueries({ queryKey: keys.invites(wg) });
  return reply;
}

export async function sendInvite(wg: string, invite: NewInvite): Promise<void> {
  await call(membersApi.invite, { params: { wg }, body: invite });
  await queryClient.invalidateQueries({ queryKey: keys.invites(wg) });
}

export async function resendInvite(wg: string, invite: string): Promise<void> {
  const renewed = await call(membersApi.resendInvite, { params: { wg, invite } });
  queryClient.setQueryData<Invite[]>(keys.invites(wg), (old) =>
    old?.map((one) => (one._id === invite ? renewed : one)),
  );
}

export async function removeInvite(wg: string, invite: string): Promise<void> {
  await call(membersApi.removeInvite, { params: { wg, invite } });
  queryClient.setQueryData<Invite[]>(keys.invites(wg), (old) => old?.filter((one) => one._id !== invite));
}
