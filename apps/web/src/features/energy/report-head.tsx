import { REPORT_GRANULARITIES, type ReportGranularity } from '@albedo/contract/energy/energy.names';
import type { EnergyReport } from '@albedo/contract/energy/energy.schema';
import { SegmentedControl, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Days } from './day-range.ts';
import { DayRangePicker } from './day-range-picker.tsx';
import classes from './energy.module.css';
import { type ChangeAddress, COMPARISONS, type Comparison, type ReportAddress } from './report-address.ts';
import { ReportPath } from './report-path.tsx';

interface ReportHeadProps {
  address: ReportAddress;
  days: Days;
  path: EnergyReport['path'];
  onChange: ChangeAddress;
}

/** Of what, over which days, in which steps, and against which time before. */
export function ReportHead({ address, days, path, onChange }: ReportHeadProps) {
  const { t } = useTranslation();
  return (
    <header className={classes.head}>
      <ReportPath path={path} onScope={(scope) => onChange({ scope })} />
      <div className={classes.choices}>
        <DayRangePicker range={address.range} days={days} onChange={(range) => onChange({ range })} />
        <SegmentedControl
          aria-label={t('energy.granularity')}
          value={address.granularity}
          data={REPORT_GRANULARITIES.map((value) => ({ value, label: t(`energy.granularities.${value}`) }))}
          onChange={(granularity) => onChange({ granularity: granularity as ReportGranularity })}
        />
        <Select
          aria-label={t('energy.compare')}
          w={200}
          allowDeselect={false}
          value={address.compare}
          data={COMPARISONS.map((value) => ({ value, label: t(`energy.comparisons.${value}`) }))}
          onChange={(compare) => onChange({ compare: (compare ?? 'none') as Comparison })}
        />
      </div>
    </header>
  );
}
