import type { AuditRow } from '@albedo/contract/audit/audit.schema';
import type { Completeness } from '@albedo/contract/completeness/completeness.schema';
import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermission } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import type { Span } from '../../ui/time-range/time-range.ts';
import type { ChartMark } from '../../ui/time-series-chart/chart-marks.ts';
import { auditQuery } from '../audit/audit.queries.ts';
import { completenessQuery } from '../completeness/completeness.queries.ts';
import type { DrawnLine } from './drawn-lines.ts';

/** Devices whose ledgers are asked for, and entries that charts show, at most. */
export const MOST_DEVICES = 12;
const MOST_EVENTS = 200;

/** Why values are missing, as the ledger of each device tells it, and what happened to the devices. By device. */
export function useMarks(
  lines: readonly DrawnLine[],
  devices: readonly DeviceSummary[],
  span: Span,
  isWanted: boolean,
): ReadonlyMap<string, ChartMark[]> {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const mayAudit = usePermission('audit');
  const ids = useMemo(() => devicesOf(lines, devices).slice(0, MOST_DEVICES), [lines, devices]);
  const gaps = useQueries({
    queries: ids.map((id) => ({
      ...completenessQuery(wg, id),
      enabled: isWanted,
      refetchInterval: 60_000,
    })),
    combine: gapsOf,
  });
  const { data: audit } = useQuery({
    ...auditQuery(wg, ['marks', span.from, span.to], () => ({ ...span, rows: MOST_EVENTS })),
    enabled: isWanted && mayAudit && ids.length > 0,
    refetchInterval: 60_000,
  });
  return useMemo(() => {
    const marks = new Map<string, ChartMark[]>();
    if (!isWanted) return marks;
    ids.forEach((id, i) => {
      const own = lines.flatMap(({ streams }) => streams.filter(({ device }) => device === id));
      const lost = (gaps[i] ?? []).flatMap((gap): ChartMark[] => {
        const [from, to] = [gap.firstEventAt ?? gap.lastEventAt, gap.lastEventAt ?? gap.firstEventAt];
        if (from === null || to === null || to < span.from || from >= span.to) return [];
        const isOurs = own.some(
          ({ table, source }) =>
            (gap.table === null || gap.table === table) && (gap.source === null || gap.source === source),
        );
        const cause = t(`completeness.causes.${gap.cause}.title`);
        const text = t('analysis.gap', { device: nameOf(devices, id), cause });
        return isOurs ? [{ id: `gap ${gap.from}`, kind: 'gap', from, to, text }] : [];
      });
      const events = (audit?.entries ?? []).flatMap((entry): ChartMark[] =>
        entry.device === id
          ? [{ id: entry.id, kind: 'event', from: entry.at, to: entry.at, text: eventText(t, entry) }]
          : [],
      );
      marks.set(id, [...lost, ...events]);
    });
    return marks;
  }, [lines, ids, devices, gaps, audit, isWanted, span, t]);
}

/** The devices that the lines read, each once. */
export function devicesOf(lines: readonly DrawnLine[], devices: readonly DeviceSummary[]): string[] {
  const known = new Set(devices.map(({ id }) => id));
  const read = lines.flatMap(({ streams }) => streams.map(({ device }) => device));
  return [...new Set(read)].filter((id) => known.has(id));
}

/** The same function over time, so that its answer stays the same until something changes. */
const gapsOf = (all: readonly { data: Completeness | undefined }[]) => all.map(({ data }) => data?.gaps);

const nameOf = (devices: readonly DeviceSummary[], id: string) =>
  devices.find((one) => one.id === id)?.name ?? id;

/** What happened, in a sentence. */
function eventText(t: TFunction, { deviceName, action, newValue, attribute, by, device }: AuditRow): string {
  const name = deviceName ?? device ?? '';
  if (action === 'state_change' && (newValue === 'online' || newValue === 'offline'))
    return t(`analysis.events.${newValue}`, { device: name });
  const what = [action, attribute].filter(Boolean).join(' ').replaceAll('_', ' ');
  return by === null
    ? t('analysis.events.system', { device: name, what })
    : t('analysis.events.person', { device: name, what, by });
}
