import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../../../app/now.ts';
import { askCsv } from '../../../../ui/csv/csv-ask.ts';
import { LevelIcon } from '../../../../ui/status/level-icon.tsx';
import { agoText } from '../../../../ui/units/durations.ts';
import { deviceListQuery } from '../../../devices/devices.queries.ts';
import { useBoard } from '../../board-context.ts';
import type { WidgetProps } from '../../widget.ts';
import { WidgetFailure, WidgetNote, WidgetSkeleton } from '../../widget-error.tsx';
import listClasses from '../list.module.css';
import { SaveButton } from '../save-button.tsx';
import { useDevicesOfRows } from './use-devices.ts';

/** The devices behind the entities: those that are away first, each with when it was last heard. */
export function DevicesView({ settings, title }: WidgetProps<SettingsOf<'devices'>>) {
  const { t } = useTranslation();
  const { wg, isDisplay } = useBoard();
  const now = useNow(30_000);
  const wanted = useDevicesOfRows(settings.rows, settings.label);
  const { data, error, refetch } = useQuery({ ...deviceListQuery(wg), enabled: !isDisplay });
  if (isDisplay) return <WidgetNote text={t('boards.notOnDisplays')} />;
  if (wanted.length === 0) return <WidgetNote text={t('boards.devices.none')} />;
  if (error && !data) return <WidgetFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <WidgetSkeleton />;
  const byId = new Map(data.map((one) => [one.id, one]));
  const shown = wanted
    .flatMap(({ deviceId, entity }) => {
      const device = byId.get(deviceId);
      return device ? [{ device, entity }] : [];
    })
    .toSorted(
      (a, b) =>
        Number(a.device.facts.online) - Number(b.device.facts.online) ||
        a.device.name.localeCompare(b.device.name),
    );
  if (shown.length === 0) return <WidgetNote text={t('boards.devices.none')} />;
  const online = shown.filter(({ device }) => device.facts.online).length;
  const seen = (at: number | null) =>
    at === null ? t('boards.devices.never') : agoText(at, Math.max(now, at));
  const save = () => {
    const titles = [t('boards.devices.device'), t('boards.entity'), t('boards.devices.online')];
    const table = {
      columns: titles.map((one) => ({ title: one })),
      rows: shown.map(({ device, entity }) => [device.name, entity.name, device.facts.online]),
    };
    askCsv({ title, table: () => table });
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <div className={listClasses.scroll} tabIndex={0}>
      <SaveButton title={title} onSave={save} />
      <div className={listClasses.sum}>
        <span>
          <LevelIcon mark="online" size={13} />
          {t('boards.devices.onlineCount', { count: online })}
        </span>
        {online < shown.length ? (
          <span>
            <LevelIcon mark="offline" size={13} />
            {t('boards.devices.offlineCount', { count: shown.length - online })}
          </span>
        ) : null}
      </div>
      <ul className={listClasses.list}>
        {shown.map(({ device: { id, name, facts }, entity }) => (
          <li key={id}>
            <LevelIcon mark={facts.online ? 'online' : 'offline'} size={13} />
            <Link to="/devices/$deviceId" params={{ deviceId: id }} className={listClasses.entity}>
              {name}
              {entity.name === name ? null : <span className={listClasses.place}> {entity.name}</span>}
            </Link>
            <span className={listClasses.said} data-level={facts.online ? undefined : 'danger'}>
              {facts.online
                ? t('boards.devices.isOnline')
                : seen(facts.cloudLastDataAt ?? facts.stateChangedAt)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
