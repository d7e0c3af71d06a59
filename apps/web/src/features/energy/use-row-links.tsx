import type { ReportRow } from '@albedo/contract/energy/energy.schema';
import type { KnownSource } from '@albedo/contract/entities/streams.schema';
import {
  IconChartLine,
  IconClipboardCheck,
  IconCornerDownRight,
  IconSearch,
  IconSolarPanel,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceZone } from '../../app/device-zone.ts';
import { entitySourcesQuery } from '../../app/entity-query.ts';
import { RowMenu } from '../../app/list/row-menu.tsx';
import { useIsUnbound, usePermission } from '../../app/permissions.ts';
import { queryClient } from '../../app/query-client.ts';
import { lineToText } from '../../app/series/chart-lines.ts';
import { rangeToText } from '../../ui/time-range/time-range.ts';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { instantOf } from '../../ui/time-range/zoned-time.ts';
import { deviceQuery } from '../devices/devices.queries.ts';
import { nameOf } from './report-table.tsx';

/** Lines that a chart of a whole device begins with. */
const MOST_LINES = 12;
/** What the raw chart of a source shows, the best first. */
const SHOWN_ROLES = ['acPower', 'energyTotal', 'energyToday'] as const;

interface RowLinks {
  wg: string;
  /** The clock of the report. */
  timezone: string;
  /** Has to be the same function over time; so has `onReview`. */
  onScope: (scope: string) => void;
  onReview: (row: ReportRow) => void;
}

/** Where a row leads: to what stands below it, and from a day to its raw chart, its records, and what is decided of it. */
export function useRowLinks({ wg, timezone, onScope, onReview }: RowLinks) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayReview = [usePermission('coordinate'), useIsUnbound()].every(Boolean);
  const { data: sources } = useQuery(entitySourcesQuery(wg));

  const openChart = useCallback(
    async (row: ReportRow) => {
      const range = await rangeOf(wg, row, timezone);
      await navigate({ to: '/analysis', search: { line: linesOf(sources ?? [], row), range } as never });
    },
    [wg, navigate, sources, timezone],
  );
  const openRecords = useCallback(
    async (row: ReportRow) => {
      const f = [
        { field: 'device', operator: '=', value: row.deviceId },
        ...(row.source === null ? [] : [{ field: 'source', operator: '=', value: row.source }]),
      ];
      const range = await rangeOf(wg, row, timezone);
      await navigate({ to: '/search', search: { table: row.table, f, range } as never });
    },
    [wg, navigate, timezone],
  );

  const openRow = useCallback(
    (row: ReportRow) => {
      if (row.level === 'finding' && mayReview && isOfSource(row)) return onReview(row);
      if (row.level !== 'day' && row.level !== 'finding') return onScope(row.scope);
      if (row.deviceId !== null) void openChart(row);
    },
    [mayReview, onReview, onScope, openChart],
  );
  const menuOf = useCallback(
    (row: ReportRow): ReactNode => {
      const actions = [
        ...(row.level === 'day' || row.level === 'finding'
          ? []
          : [
              {
                title: t('energy.goInto'),
                icon: <IconCornerDownRight size={16} />,
                onClick: () => onScope(row.scope),
              },
            ]),
        ...(mayReview && isOfSource(row) && row.day !== null
          ? [
              {
                title: t('energy.review'),
                icon: <IconClipboardCheck size={16} />,
                onClick: () => onReview(row),
              },
            ]
          : []),
        ...(row.deviceId === null
          ? []
          : [
              {
                title: t('energy.rawChart'),
                icon: <IconChartLine size={16} />,
                onClick: () => void openChart(row),
              },
              ...(row.table === null
                ? []
                : [
                    {
                      title: t('energy.records'),
                      icon: <IconSearch size={16} />,
                      onClick: () => void openRecords(row),
                    },
                  ]),
              {
                title: t('energy.openDevice'),
                icon: <IconSolarPanel size={16} />,
                onClick: () =>
                  void navigate({ to: '/devices/$deviceId', params: { deviceId: row.deviceId as string } }),
              },
            ]),
      ];
      return actions.length === 0 ? null : (
        <RowMenu label={t('energy.rowMenu', { name: nameOf(row) })} actions={actions} />
      );
    },
    [t, mayReview, onReview, onScope, openChart, openRecords, navigate],
  );
  return { openRow, menuOf };
}

const isOfSource = ({ deviceId, table, source }: ReportRow): boolean =>
  deviceId !== null && table !== null && source !== null;

/** The time of the row's day by the clock that it was counted by; without a day, the last month. */
async function rangeOf(wg: string, { day, deviceId }: ReportRow, timezone: string): Promise<string> {
  const [year, month, date] = day?.split('-').map(Number) ?? [];
  if (!year || !month || !date) return 'last-month';
  const zone = timezone === 'device' ? await zoneOf(wg, deviceId) : timezone;
  const from = instantOf({ year, month, day: date }, zone);
  return rangeToText({ kind: 'absolute', from, to: instantOf({ year, month, day: date + 1 }, zone) });
}

async function zoneOf(wg: string, deviceId: string | null): Promise<string> {
  if (deviceId === null) return userZone();
  // A chart that is a few hours off is better than none.
  const device = await queryClient.ensureQueryData(deviceQuery(wg, deviceId)).catch(() => null);
  return (device && deviceZone(device)) ?? userZone();
}

/** The lines of the raw chart: for each source of the row the first field that tells of its energy. */
function linesOf(sources: readonly KnownSource[], row: ReportRow): string[] {
  const own = sources.filter(
    ({ deviceId, table, source }) =>
      deviceId === row.deviceId &&
      (row.table === null || table === row.table) &&
      (row.source === null || source === row.source),
  );
  const lines = own.flatMap(({ table, source, fields }) => {
    const field =
      SHOWN_ROLES.flatMap((role) => fields.find((one) => one.role === role) ?? [])[0] ??
      (row.source === null ? undefined : fields[0]);
    return field ? [`${row.deviceId}~${lineToText({ table, source, field: field.name })}`] : [];
  });
  return lines.slice(0, MOST_LINES);
}
