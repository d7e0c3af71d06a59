import type { EndpointInput } from '@albedo/contract/http/endpoint';
import { rolesApi } from '@albedo/contract/roles/roles.api';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { onEvent } from '../../app/socket.ts';

const keyOf = (wg: string) => ['roles', wg] as const;

// Who has a role changes with the members, and rules name roles: one event tells of all of them.
onEvent('access-control:changed', () => void queryClient.invalidateQueries({ queryKey: ['roles'] }));

/** The roles of a workgroup with who has them, by name. */
export const rolesQuery = (wg: string) =>
  queryOptions({
    queryKey: keyOf(wg),
    queryFn: ({ signal }) => call(rolesApi.list, { params: { wg } }, signal),
  });

/** Makes the role, or with an id puts it in the place of that one. */
export async function saveRole(
  wg: string,
  role: string | null,
  body: EndpointInput<typeof rolesApi.create>['body'],
): Promise<void> {
  if (role === null) await call(rolesApi.create, { params: { wg }, body });
  else await call(rolesApi.update, { params: { wg, role }, body });
  await queryClient.invalidateQueries({ queryKey: keyOf(wg) });
}

/** The rules that name the role go with it. */
export async function removeRole(wg: string, role: string): Promise<void> {
  await call(rolesApi.remove, { params: { wg, role } });
  await queryClient.invalidateQueries({ queryKey: keyOf(wg) });
}
