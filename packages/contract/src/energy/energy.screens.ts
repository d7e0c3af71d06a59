import { can, member } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

const report = { ...member, needs: ['GET /energy/:wg/reports/:report'] } as const;
const coordinate = { ...can('coordinate') } as const;
const config = {
  ...coordinate,
  needs: ['GET /energy/:wg/config/:config'],
} as const;

/** Source: specification 1, section 2. */
export const energyScreens = {
  '/report': member,
  '/report/energy': report,
  '/report/daily-energy': { ...report, addon: 'daily-energy' },
  '/report/performance-ratio': { ...report, addon: 'solar-reporting', settings: ['meterSites'] },
  '/report/daily-energy-anomalies': { ...report, addon: 'daily-energy' },
  '/report/capacity-factor': { ...report, settings: ['perfRatio'] },
  '/report/inverter-performance': { ...report, addon: 'solar-reporting', settings: ['perfRatio'] },
  '/report/iec-performance-ratio': { ...report, addon: 'iec-perf-ratio' },
  '/admin/reports': coordinate,
  '/admin/reports/daily-energy-config': { ...config, addon: 'daily-energy' },
  '/admin/reports/performance-ratio-config': { ...config, addon: 'daily-energy' },
  '/admin/reports/capacity-factor-config': { ...config, addon: 'daily-energy' },
  '/admin/reports/meter-data-config': { ...config, addon: 'daily-energy' },
  '/admin/reports/availability-config': { ...config, addon: 'availability' },
  '/admin/reports/iec-perf-ratio-config': { ...config, addon: 'iec-perf-ratio' },
  '/admin/reports/mppt-extract-config': { ...config, addon: 'mppt-extract' },
} as const satisfies Screens;
