import type { EnergyReportName, ReportGranularity } from '@albedo/contract/energy/energy.names';
import type { EnergyReport } from '@albedo/contract/energy/energy.schema';
import type { EnergyConfigs } from '@albedo/contract/energy/energy-config.schema';
import type { Caller } from '../access/caller.ts';
import type { Figures } from './energy-figures.ts';
import type { Span, SumsRow } from './energy-reports.store.ts';
import type { ReportScope } from './energy-scope.ts';

/** What a report is asked about, with how it is configured. */
export interface Asking {
  caller: Caller;
  report: EnergyReportName;
  scope: ReportScope;
  span: Span;
  configs: EnergyConfigs;
  granularity: ReportGranularity;
}

export interface Answer extends Pick<EnergyReport, 'listed' | 'rows' | 'periods' | 'series' | 'computedAt'> {
  total: Figures;
  sums: SumsRow | null;
}
