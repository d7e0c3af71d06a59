import type { Device, LatestSource } from '@albedo/contract/devices/devices.schema';
import type { PlantDetail } from '@albedo/contract/plants/plants.schema';
import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsArriving } from '../../app/filling.ts';
import { useGlanceOf } from '../../app/glance/glance-query.ts';
import { isCovered } from '../../app/incidents/covered.ts';
import { useIncidents } from '../../app/incidents/incidents-query.ts';
import { useNow } from '../../app/now.ts';
import { plantQuery } from '../../app/plant-query.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSourceNames } from '../../app/source-names.ts';
import { Flow } from '../../ui/energy-flow/flow.tsx';
import { wayOf } from '../../ui/energy-flow/grid-way.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { zoneLabel } from '../../ui/time-range/zoned-time.ts';
import { formatDecimal, formatFixed } from '../../ui/units/numbers.ts';
import { formatAlike, formatValue } from '../../ui/units/units.ts';
import { latestQuery } from '../devices/devices.queries.ts';
import { DayCurve } from './day-curve.tsx';
import { Findings } from './findings.tsx';
import { InverterGrid } from './inverter-grid.tsx';
import classes from './plant.module.css';
import { readingOf } from './plants.queries.ts';
import { DayTile, ReadingTile } from './reading-tile.tsx';
import { ShareBar } from './share-bar.tsx';

const NOTHING: LatestSource[] = [];

/**
 * A plant at one glance: what it gives now and gave today, the light, its inverters, and what is wrong. Nothing for a
 * device that watches no plant. The card of the sources beside it keeps the newest values true.
 */
export function PlantPanel({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: plant, error, refetch } = useQuery(plantQuery(wg, device.id));
  const { data: latest = NOTHING, isPending } = useQuery(latestQuery(wg, device.id));
  if (!plant && error) {
    return (
      <Section title={t('plants.title')}>
        <ErrorState title={t('plants.failed')} error={error} onRetry={() => void refetch()} />
      </Section>
    );
  }
  if (!plant || isPending) return <PanelSkeleton />;
  return plant.kind === 'plant' ? <PlantView device={device} plant={plant} latest={latest} /> : null;
}

function PlantView({
  device,
  plant,
  latest,
}: {
  device: Device;
  plant: PlantDetail;
  latest: LatestSource[];
}) {
  const { t } = useTranslation();
  const now = useNow(1000);
  const reading = useMemo(() => readingOf(plant, latest, now), [plant, latest, now]);
  const known = useIncidents();
  const open = known.ofDevice(device.id);
  // The head of the page, if it is there, shows the findings already.
  const { plant: glance, isComing } = useGlanceOf(device.id);
  const isInHead = glance !== undefined || isComing;
  const nameOf = useSourceNames(device.id);
  const { power, poa, ghi, moduleTemperature, ambientTemperature, grid } = reading;
  const { ratedPowerW, peakPowerW, today, curve, zone, day } = plant;
  const share =
    ratedPowerW !== null && power.value !== null && !plant.isPartial ? power.value / ratedPowerW : null;
  const light = poa.value === null && poa.missing === 'noSource' ? ghi : poa;
  const place = zoneLabel(zone, now);
  const isArriving = useIsArriving(day.from);
  const [imported, exported] = formatAlike([today.importedWh, today.exportedWh], 'Wh');
  return (
    <div className={classes.panel}>
      {/* The incidents above already cover these. */}
      <Findings
        findings={isInHead ? [] : plant.findings.filter((finding) => !isCovered(finding, open))}
        plant={device.name}
        zone={zone}
        now={now}
        nameOf={nameOf}
      />
      {plant.isPartial ? (
        <Text size="sm" c="dimmed">
          {t('plants.partial')}
        </Text>
      ) : null}
      <div className={classes.tiles}>
        <ReadingTile title={t('plants.power')} reading={power} units="W" now={now}>
          {share === null ? (
            <div className={classes.note}>{t(plant.isPartial ? 'plants.ofVisible' : 'plants.noRating')}</div>
          ) : (
            <>
              <ShareBar share={share} label={t('plants.ofRated')} />
              <div className={classes.note}>
                {t('plants.shareOf', {
                  share: `${formatDecimal(Math.round(share * 100), 0)} %`,
                  rated: formatValue(ratedPowerW, 'W'),
                })}
              </div>
            </>
          )}
        </ReadingTile>
        <DayTile
          title={t('plants.today')}
          value={isArriving ? null : today.energyWh}
          units="Wh"
          context={place}
          isArriving={isArriving}
        >
          <div className={classes.note}>
            {peakPowerW !== null && today.energyWh !== null
              ? t('plants.perPeak', { value: formatFixed(today.energyWh / peakPowerW, 2) })
              : t('plants.sinceMidnight')}
          </div>
          {today.doubtedWh > 0 ? (
            <div className={classes.note} data-mark="warning">
              <LevelIcon mark="warning" size={12} />{' '}
              {t('plants.doubted', { energy: formatValue(today.doubtedWh, 'Wh') })}
            </div>
          ) : null}
        </DayTile>
        <ReadingTile
          title={t(light === ghi ? 'plants.lightGlobal' : 'plants.light')}
          reading={light}
          units="W/m²"
          now={now}
        >
          <div className={classes.note}>
            {[
              moduleTemperature.value === null
                ? ''
                : t('plants.module', { value: formatValue(moduleTemperature.value, '°C') }),
              ambientTemperature.value === null
                ? ''
                : t('plants.air', { value: formatValue(ambientTemperature.value, '°C') }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </div>
        </ReadingTile>
        <ReadingTile
          title={t(`plants.flow.${wayOf('gridPower', grid.value) ?? 'grid'}`)}
          reading={grid}
          units="W"
          now={now}
        >
          <div className={classes.note}>
            {isArriving ? t('demo.arriving') : t('plants.metered', { imported, exported })}
          </div>
        </ReadingTile>
      </div>
      <div className={classes.wide}>
        <Section title={t('plants.curve.title')} context={place}>
          {curve ? <DayCurve curve={curve} day={day} zone={zone} /> : null}
          {plant.clearSkyNeeds.map((need) => (
            <Text key={need} size="xs" c="dimmed" mt={6}>
              {t(`plants.curve.needs.${need}`)}
            </Text>
          ))}
        </Section>
        <Section title={t('plants.flow.title')}>
          <Flow reading={reading} />
        </Section>
      </div>
      <InverterGrid plant={plant} inverters={reading.inverters} incidents={open} nameOf={nameOf} now={now} />
    </div>
  );
}

function PanelSkeleton() {
  const { t } = useTranslation();
  return (
    <div className={classes.panel} role="status" aria-label={t('plants.loading')}>
      <div className={classes.tiles}>
        {[0, 1, 2, 3].map((tile) => (
          <Skeleton key={tile} height={104} />
        ))}
      </div>
      <div className={classes.wide}>
        <Skeleton height={330} />
        <Skeleton height={330} />
      </div>
    </div>
  );
}
