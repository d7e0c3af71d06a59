import { accessControlApi } from '@albedo/contract/access-control/access-control.api';
import type { AccessMap, NewAccessRule } from '@albedo/contract/access-control/access-control.schema';
import type { EndpointInput } from '@albedo/contract/http/endpoint';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { onEvent } from '../../app/socket.ts';

const keys = {
  rules: (wg: string) => ['access-rules', wg] as const,
  mine: (wg: string) => ['access-mine', wg] as const,
  why: (wg: string) => ['access-why', wg] as const,
};

/** The rules of a workgroup, newest first. */
export const accessRulesQuery = (wg: string) =>
  queryOptions({
    queryKey: keys.rules(wg),
    queryFn: ({ signal }) => call(accessControlApi.list, { params: { wg } }, signal),
  });

/** What the user may do by the rules, by resource. */
export const myAccessQuery = (wg: string) =>
  queryOptions({
    queryKey: keys.mine(wg),
    queryFn: ({ signal }) => call(accessControlApi.mine, { params: { wg } }, signal),
    staleTime: 30_000,
  });

/** As `myAccessQuery`, for guards: as fresh as the last half minute, or of this moment. */
export const loadMyAccess = (wg: string, { isOfNow = false } = {}): Promise<AccessMap> =>
  queryClient.fetchQuery(isOfNow ? { ...myAccessQuery(wg), staleTime: 0 } : myAccessQuery(wg));

export type WhyAsked = NonNullable<EndpointInput<typeof accessControlApi.why>['query']>;

/** Why somebody may do something, or may not; asked again after each change of a rule or a role. */
export const whyQuery = (wg: string, query: WhyAsked) =>
  queryOptions({
    queryKey: [...keys.why(wg), query],
    queryFn: ({ signal }) => call(accessControlApi.why, { params: { wg }, query }, signal),
  });

/** Makes the rule, or with an id puts it in the place of that one. */
export async function saveRule(wg: string, rule: string | null, body: NewAccessRule): Promise<void> {
  if (rule === null) await call(accessControlApi.create, { params: { wg }, body });
  else await call(accessControlApi.update, { params: { wg, rule }, body });
  await rulesChanged(wg);
}

export async function removeRule(wg: string, rule: string): Promise<void> {
  await call(accessControlApi.remove, { params: { wg, rule } });
  await rulesChanged(wg);
}

/** Call this when rules or roles have changed. */
export async function rulesChanged(wg: string): Promise<void> {
  await Promise.all(
    Object.values(keys).map((keyOf) => queryClient.invalidateQueries({ queryKey: keyOf(wg) })),
  );
}

/** Asks again for what the rules allow whenever they changed, then calls `afterwards`; the answer stops it. */
export const followRules = (afterwards: () => void): (() => void) =>
  onEvent('access-control:changed', ({ workgroup }) => void rulesChanged(workgroup).then(afterwards));
