import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { MOST_COMBINED } from '@albedo/contract/telemetry/telemetry.schema';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AnalysisAddress } from './analysis-address.ts';
import { MOST_KNOWN, type useAnalysis } from './use-analysis.ts';
import { devicesOf, MOST_DEVICES } from './use-marks.ts';

interface AnalysisNotesProps {
  address: Pick<AnalysisAddress, 'isNormalised' | 'hasClearSky' | 'hasMarks'>;
  analysis: Pick<ReturnType<typeof useAnalysis>, 'drawn' | 'known' | 'unknownCount'>;
  devices: readonly DeviceSummary[];
}

/** What was wished for and cannot be drawn, with what is missing for it. */
export function AnalysisNotes({ address, analysis, devices }: AnalysisNotesProps) {
  const { t } = useTranslation();
  const { drawn, known, unknownCount } = analysis;
  const names = (lacks: (id: string) => boolean) =>
    devicesOf(drawn, devices)
      .filter((id) => known.has(id) && lacks(id))
      .map((id) => devices.find((one) => one.id === id)?.name ?? id)
      .join(', ');
  const siteOf = (id: string) => known.get(id)?.site;
  const hasNoPower = (id: string) => !(siteOf(id)?.ratedPowerW ?? siteOf(id)?.peakPowerW);
  const isOfRated = address.isNormalised || address.hasClearSky;
  const unrated = isOfRated ? names(hasNoPower) : '';
  const unplaced = address.hasClearSky ? names((id) => siteOf(id)?.latitudeDeg === null) : '';
  const tooMany = drawn.filter(({ combine, streams }) => combine !== null && streams.length > MOST_COMBINED);
  const unmarked = address.hasMarks ? devicesOf(drawn, devices).length - MOST_DEVICES : 0;
  const notes = [
    ...tooMany.map(({ label, streams }) =>
      t('analysis.notes.tooMany', { name: label, count: streams.length, max: MOST_COMBINED }),
    ),
    isOfRated && unknownCount > 0
      ? t('analysis.notes.unknown', { count: unknownCount, max: MOST_KNOWN })
      : null,
    unmarked > 0 ? t('analysis.notes.unmarked', { max: MOST_DEVICES }) : null,
    unrated === '' ? null : t('analysis.notes.unrated', { names: unrated }),
    unplaced === '' ? null : t('analysis.notes.unplaced', { names: unplaced }),
  ].filter((note) => note !== null);
  return notes.map((note) => (
    <Text key={note} size="sm" c="dimmed">
      {note}
    </Text>
  ));
}
