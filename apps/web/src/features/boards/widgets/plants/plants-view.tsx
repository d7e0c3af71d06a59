import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { namesOfSources, sourceKey } from '@albedo/contract/entities/source-names';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type GlanceFacts, headlineOf, markOf } from '../../../../app/glance/glance-text.ts';
import { useIncidents } from '../../../../app/incidents/incidents-query.ts';
import { useNow } from '../../../../app/now.ts';
import { LevelIcon } from '../../../../ui/status/level-icon.tsx';
import { formatValue } from '../../../../ui/units/units.ts';
import { useBoard } from '../../board-context.ts';
import { type BoardPlant, usePlants } from '../../use-plants.ts';
import type { WidgetProps } from '../../widget.ts';
import { useWidgetData } from '../../widget-data.ts';
import { WidgetFailure, WidgetNote, WidgetSkeleton } from '../../widget-error.tsx';
import listClasses from '../list.module.css';
import classes from './plants.module.css';

/** The plants, the worst first: what each produces of what its light allows, and why. */
export function PlantsView({ settings }: WidgetProps<SettingsOf<'plants'>>) {
  const { t } = useTranslation();
  const { isDisplay, isEditing, entities } = useBoard();
  const now = useNow(30_000);
  const { byId } = useIncidents();
  const names = useMemo(() => namesOfSources(entities), [entities]);
  const { plants, error, retry } = usePlants();
  const rows = useMemo(
    () =>
      plants?.slice(0, settings.most).map(({ plant, name }) => ({
        plant,
        name,
        headline: headlineOf(t, { ...plant, name }, {
          ...{ now, byId },
          nameOf: (source) => names.get(sourceKey(plant.device, source)) ?? source,
        } satisfies GlanceFacts),
      })),
    [plants, settings.most, t, now, byId, names],
  );
  useWidgetData(
    rows
      ? {
          head: [t('boards.mapColumns.name'), '%', 'W', t('boards.incidents.text')],
          rows: rows.map(({ name, plant, headline }) => [
            name,
            String(plant.energy?.ratio == null ? '' : plant.energy.ratio * 100),
            String(plant.power.value ?? ''),
            headline.tail,
          ]),
        }
      : null,
  );
  if (isDisplay) return <WidgetNote text={t('boards.notOnDisplays')} />;
  if (error && !plants) return <WidgetFailure error={error} onRetry={retry} />;
  if (!rows || !plants) return <WidgetSkeleton />;
  if (rows.length === 0) return <WidgetNote text={t('glance.noPlants')} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <div className={listClasses.scroll} tabIndex={0}>
      <ul className={classes.plants}>
        {rows.map(({ plant, name, headline }) => (
          <li key={plant.device} className={classes.plant}>
            <LevelIcon mark={markOf(plant)} size={14} />
            {isEditing ? (
              <b>{name}</b>
            ) : (
              <Link
                to="/devices/$deviceId/$tab"
                params={{ deviceId: plant.device, tab: 'general' }}
                className={classes.name}
              >
                {name}
              </Link>
            )}
            <span className={classes.share} title={`${headline.number} ${headline.unit} ${headline.text}`}>
              {plant.energy && !plant.energy.isToday ? <small>{t('glance.yesterday')}</small> : null}
              {ratioText(plant)}
            </span>
            <span className={classes.why}>{headline.tail || headline.text}</span>
            <span className={classes.power}>{formatValue(plant.power.value, 'W')}</span>
          </li>
        ))}
      </ul>
      {plants.length > rows.length ? (
        <p className={listClasses.hint}>
          {t('boards.incidents.more', { count: plants.length - rows.length })}
        </p>
      ) : null}
    </div>
  );
}

const ratioText = ({ energy }: BoardPlant['plant']): string =>
  energy?.ratio == null ? '–' : `${Math.round(energy.ratio * 100)} %`;
