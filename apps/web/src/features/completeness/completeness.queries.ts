import { completenessApi } from '@albedo/contract/completeness/completeness.api';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';

export { verdictOf } from './verdict.ts';

/** Devices report their counters every 10 s; asked twice as often, a report is seen soon after it came. */
const LEDGER_MS = 5000;

export const completenessQuery = (wg: string, device: string) =>
  queryOptions({
    queryKey: ['completeness', wg, device],
    queryFn: ({ signal }) => call(completenessApi.get, { params: { wg, device } }, signal),
    refetchInterval: LEDGER_MS,
    staleTime: LEDGER_MS,
  });

export const quarantineQuery = (wg: string, device: string) =>
  queryOptions({
    queryKey: ['completeness', wg, device, 'quarantine'],
    queryFn: ({ signal }) => call(completenessApi.quarantine, { params: { wg, device } }, signal),
    refetchInterval: 30_000,
  });
