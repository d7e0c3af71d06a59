import { energyApi } from '@albedo/contract/energy/energy.api';
import type { EnergyConfigName } from '@albedo/contract/energy/energy.names';
import type {
  EnergyImport,
  EnergyImportPlan,
  EnergyImportPreview,
} from '@albedo/contract/energy/energy.schema';
import { ENERGY_CONFIG_SCHEMAS, type EnergyConfigs } from '@albedo/contract/energy/energy-config.schema';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, upload } from '../../app/call.ts';
import { followList } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';
import { forgetReports } from '../energy/energy.queries.ts';

followList('energy', ['energy-config', 'energy-imports', 'energy-budgets']);

/** A configuration with all that it leaves to its defaults, and the version of its last save; 0 before it. */
export interface KeptConfig<Name extends EnergyConfigName> {
  version: number;
  value: EnergyConfigs[Name];
}

const keyOf = (wg: string, config: EnergyConfigName) => ['energy-config', wg, config] as const;

const filled = <Name extends EnergyConfigName>(config: Name, value: unknown): EnergyConfigs[Name] =>
  ENERGY_CONFIG_SCHEMAS[config].parse(value) as EnergyConfigs[Name];

export const configQuery = <Name extends EnergyConfigName>(wg: string, config: Name) =>
  queryOptions<KeptConfig<Name>>({
    queryKey: keyOf(wg, config),
    queryFn: async ({ signal }) => {
      const { version, value } = await call(energyApi.config, { params: { wg, config } }, signal);
      return { version, value: filled(config, value) };
    },
    staleTime: 30_000,
  });

/** Errors: as the call; 409 where somebody saved another version since `version`. */
export async function saveConfig<Name extends EnergyConfigName>(
  wg: string,
  config: Name,
  { version, value }: KeptConfig<Name>,
): Promise<KeptConfig<Name>> {
  const saved = await call(energyApi.configure, { params: { wg, config }, body: { value, version } });
  const kept = { version: saved.version, value: filled(config, saved.value) };
  queryClient.setQueryData(keyOf(wg, config), kept);
  await forgetReports(wg);
  return kept;
}

/** What yesterday would be with a configuration that is not saved. */
export const previewQuery = <Name extends EnergyConfigName>(
  wg: string,
  config: Name,
  value: EnergyConfigs[Name],
) =>
  queryOptions({
    queryKey: ['energy-config-preview', wg, config, value],
    queryFn: ({ signal }) =>
      call(energyApi.previewConfig, { params: { wg, config }, body: { value } }, signal, { timeout: 60_000 }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  });

export const importsQuery = (wg: string) =>
  queryOptions({
    queryKey: ['energy-imports', wg],
    queryFn: ({ signal }) => call(energyApi.imports, { params: { wg } }, signal),
  });

const bodyOf = (plan: EnergyImportPlan) => ({ plan: JSON.stringify(plan) });

export const previewImport = (wg: string, file: File, plan: EnergyImportPlan): Promise<EnergyImportPreview> =>
  upload(energyApi.previewImport, { params: { wg }, body: bodyOf(plan) }, [file]);

export async function importFile(wg: string, file: File, plan: EnergyImportPlan): Promise<EnergyImport> {
  const stored = await upload(energyApi.import, { params: { wg }, body: bodyOf(plan) }, [file]);
  await changed(wg);
  return stored;
}

export async function undoImport(wg: string, energyImport: string): Promise<void> {
  await call(energyApi.undoImport, { params: { wg, energyImport }, body: {} });
  await changed(wg);
}

/** Budgets of the months of a year; of as many pages as there are. */
export const budgetsQuery = (wg: string, year: number) =>
  queryOptions({
    queryKey: ['energy-budgets', wg, year],
    queryFn: async ({ signal }) => {
      const on = { params: { wg } };
      const range = { from: `${year}-01`, to: `${year}-12` };
      const all: Awaited<ReturnType<typeof call<typeof energyApi.budgetData>>>['budgets'] = [];
      let after: string | null = null;
      do {
        const query: { from: string; to: string; after?: string } = {
          ...range,
          ...(after === null ? {} : { after }),
        };
        const page: { budgets: typeof all; next: string | null } = await call(
          energyApi.budgetData,
          { ...on, query },
          signal,
        );
        all.push(...page.budgets);
        after = page.next;
      } while (after !== null);
      return all;
    },
  });

/** Stores budgets by `<subject>|<month>`, so many keys at a time. */
export async function saveBudgets(wg: string, body: Readonly<Record<string, number>>): Promise<void> {
  const entries = Object.entries(body);
  for (let at = 0; at < entries.length; at += 500)
    await call(energyApi.putBudgetData, {
      params: { wg },
      body: Object.fromEntries(entries.slice(at, at + 500)),
    });
  await changed(wg);
}

async function changed(wg: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['energy-imports', wg] }),
    queryClient.invalidateQueries({ queryKey: ['energy-budgets', wg] }),
    forgetReports(wg),
  ]);
}
