import { commissioningApi } from '@albedo/contract/commissioning/commissioning.api';
import type {
  Commissioning,
  CommissioningPlan,
  CommissioningStep,
} from '@albedo/contract/commissioning/commissioning.schema';
import type { Language } from '@albedo/contract/settings/settings.schema';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';

/** A device that reads twenty machines over a slow line needs its time, ms. */
const READING = { timeout: 125_000, retry: { limit: 0, backoffLimit: 0 } } as const;

export const commissioningListQuery = (wg: string) =>
  queryOptions({
    queryKey: ['commissioning', wg],
    queryFn: ({ signal }) => call(commissioningApi.list, { params: { wg } }, signal),
  });

/** Another device of the person may have gone on with it, so it is asked for each time the page comes to the front. */
export const commissioningQuery = (wg: string, id: string) =>
  queryOptions({
    queryKey: ['commissioning', wg, id],
    queryFn: ({ signal }) => call(commissioningApi.get, { params: { wg, commissioning: id } }, signal),
    refetchOnWindowFocus: 'always',
  });

export async function beginCommissioning(wg: string, device: string): Promise<Commissioning> {
  return keep(wg, await call(commissioningApi.begin, { params: { wg }, body: { device } }));
}

export async function saveCommissioning(
  wg: string,
  id: string,
  body: { step: Exclude<CommissioningStep, 'done'>; plan: CommissioningPlan },
): Promise<Commissioning> {
  return keep(wg, await call(commissioningApi.save, { params: { wg, commissioning: id }, body }));
}

export async function discardCommissioning(wg: string, id: string): Promise<void> {
  await call(commissioningApi.discard, { params: { wg, commissioning: id } });
  queryClient.removeQueries({ queryKey: ['commissioning', wg, id] });
  await queryClient.invalidateQueries({ queryKey: ['commissioning', wg], exact: true });
}

/** What the machines of the plan give now; `stamp` is another one as soon as the plan is. */
export const previewQuery = (wg: string, id: string, stamp: string) =>
  queryOptions({
    queryKey: ['commissioning-preview', wg, id, stamp],
    queryFn: ({ signal }) =>
      call(commissioningApi.preview, { params: { wg, commissioning: id } }, signal, READING),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

export async function readMachines(wg: string, id: string): Promise<Commissioning> {
  return keep(
    wg,
    await call(commissioningApi.read, { params: { wg, commissioning: id } }, undefined, READING),
  );
}

export async function buildPlant(wg: string, id: string, language: Language): Promise<Commissioning> {
  const input = { params: { wg, commissioning: id }, body: { language } };
  const built = keep(wg, await call(commissioningApi.build, input, undefined, READING));
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['entities', wg] }),
    queryClient.invalidateQueries({ queryKey: ['boards', wg] }),
    queryClient.invalidateQueries({ queryKey: ['workgroups'] }),
  ]);
  return built;
}

function keep(wg: string, one: Commissioning): Commissioning {
  queryClient.setQueryData(commissioningQuery(wg, one.id).queryKey, one);
  void queryClient.invalidateQueries({ queryKey: ['commissioning', wg], exact: true });
  return one;
}
