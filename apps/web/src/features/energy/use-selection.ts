import type { EnergyReportName } from '@albedo/contract/energy/energy.names';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { keepSelection, selectionsQuery } from './energy.queries.ts';
import { isChosen } from './report-address.ts';

/** So long somebody has to look at something before it is what they looked at last, ms. */
const SETTLED_MS = 1500;

/**
 * Opened without a choice in its address, a report shows what the person last looked at; what they look at from then on is
 * kept. False until it is known.
 */
export function useSelection(wg: string, report: EnergyReportName): boolean {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const router = useRouter();
  const navigate = useNavigate();
  const { data, isPending } = useQuery(selectionsQuery(wg));
  const text = router.options.stringifySearch?.(search) ?? '';
  /** The report whose choice is settled: only afterwards an address without one is a choice too. */
  const settled = useRef<string | null>(null);
  const kept = data?.[report] ?? '';
  const isRestoring =
    settled.current !== report && !isPending && !isChosen(search) && kept !== '' && kept !== text;

  useEffect(() => {
    if (isPending) return;
    const parsed = isRestoring ? router.options.parseSearch?.(kept) : undefined;
    settled.current = report;
    if (parsed) void navigate({ to: '.', search: parsed as never, replace: true });
  }, [isPending, isRestoring, kept, report, router, navigate]);

  useEffect(() => {
    if (settled.current !== report || data === undefined || text === kept) return;
    const timer = setTimeout(() => {
      // It is a convenience: where it fails, the report is not disturbed.
      keepSelection(wg, report, text).catch(() => {});
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [wg, report, text, kept, data]);

  return !isPending && !isRestoring;
}
