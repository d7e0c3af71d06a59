import { ENERGY_CONFIGS, type EnergyConfigName } from '@albedo/contract/energy/energy.names';
import { useLocation } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { AvailabilityPage } from './availability-page.tsx';
import { CapacityFactorPage } from './capacity-factor-page.tsx';
import { DailyEnergyPage } from './daily-energy-page.tsx';
import { IecPage } from './iec-page.tsx';
import { MeterDataPage } from './meter-data-page.tsx';
import { MpptPage } from './mppt-page.tsx';
import { PerformanceRatioPage } from './performance-ratio-page.tsx';

const PAGES: Readonly<Record<EnergyConfigName, ComponentType>> = {
  'daily-energy-config': DailyEnergyPage,
  'performance-ratio-config': PerformanceRatioPage,
  'capacity-factor-config': CapacityFactorPage,
  'meter-data-config': MeterDataPage,
  'availability-config': AvailabilityPage,
  'iec-perf-ratio-config': IecPage,
  'mppt-extract-config': MpptPage,
};

/** One of the configurations, as the address names it. */
export function ConfigPages() {
  const { pathname } = useLocation();
  const name = ENERGY_CONFIGS.find((one) => pathname.endsWith(`/${one}`));
  if (!name) return null;
  const Page = PAGES[name];
  return <Page key={name} />;
}
