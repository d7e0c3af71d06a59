import { fieldRolesApi } from '@albedo/contract/field-roles/field-roles.api';
import type { newFieldRole, SourceRoles } from '@albedo/contract/field-roles/field-roles.schema';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { call } from './call.ts';
import { plantQuery } from './plant-query.ts';
import { queryClient } from './query-client.ts';

/** What the fields of each source mean, as guessed and as corrected. */
export const fieldRolesQuery = (wg: string, device: string) =>
  queryOptions({
    queryKey: ['device', wg, device, 'field-roles'],
    queryFn: ({ signal }) => call(fieldRolesApi.list, { params: { wg, device } }, signal),
  });

/** Corrects one field; everything that is computed from it is asked for again. */
export async function setFieldRole(
  wg: string,
  device: string,
  body: z.input<typeof newFieldRole>,
): Promise<void> {
  const changed = await call(fieldRolesApi.set, { params: { wg, device }, body });
  queryClient.setQueryData<SourceRoles[]>(fieldRolesQuery(wg, device).queryKey, (old) =>
    old?.map((one) => (one.table === changed.table && one.source === changed.source ? changed : one)),
  );
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: plantQuery(wg, device).queryKey }),
    queryClient.invalidateQueries({ queryKey: ['plants', wg] }),
  ]);
}
