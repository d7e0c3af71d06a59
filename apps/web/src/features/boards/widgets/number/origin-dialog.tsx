import { Anchor, Modal, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { RowsLink } from '../../../../app/figures/rows-link.tsx';
import { useNow } from '../../../../app/now.ts';
import { rangeFromText, rangeLabel, type Span } from '../../../../ui/time-range/time-range.ts';
import { formatInstant } from '../../../../ui/time-range/zoned-time.ts';
import { formatValue } from '../../../../ui/units/units.ts';
import { deviceListQuery } from '../../../devices/devices.queries.ts';
import { useBoard } from '../../board-context.ts';
import type { Line } from '../../lines.ts';
import { type Latest, useLatest } from '../../live-values.ts';
import type { Origin } from '../../origins.ts';
import { STALE_MS, useOwnSpan, useSiteSpans } from '../../use-figures.ts';
import classes from './number.module.css';

/** So many of the rows before the newest one are shown with it, ms. */
const BEFORE_MS = 15 * 60_000;

interface OriginDialogProps {
  title: string;
  origins: readonly Origin[];
  onClose: () => void;
}

/** Where numbers come from: their streams, each with its newest value and the way to its rows, and what was made of them. */
export function OriginDialog({ title, origins, onClose }: OriginDialogProps) {
  const { t } = useTranslation();
  const { wg } = useBoard();
  const { data: devices } = useQuery(deviceListQuery(wg));
  const nameOf = (id: string) => devices?.find((one) => one.id === id)?.name;
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={title}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      {origins.length === 0 ? <p className={classes.made}>{t('boards.noValue')}</p> : null}
      {origins.map((origin, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what a widget asks for has no name.
        <Streams key={i} origin={origin} isOne={origins.length === 1} nameOf={nameOf} />
      ))}
    </Modal>
  );
}

interface StreamsProps {
  origin: Origin;
  /** Nothing stands beside it that it could be taken for. */
  isOne: boolean;
  nameOf: (device: string) => string | undefined;
}

function Streams({ origin, isOne, nameOf }: StreamsProps) {
  const { t } = useTranslation();
  const { live, zone, byId } = useBoard();
  const { lines } = origin;
  const streams = useMemo(() => lines.flatMap((line) => line.streams), [lines]);
  const ownSpan = useOwnSpan(origin.range);
  const span = origin.span ?? ownSpan;
  const siteSpans = useSiteSpans(streams, origin.range, span);
  const spans = origin.span || origin.fn === 'latest' ? null : siteSpans;
  const latest = useLatest(live, streams, true);
  const made = useMade(origin, { span, isSiteTime: spans !== null, latest });
  const rowsOf = (i: number): Span => {
    const at = measuredAt(latest[i]);
    if (origin.fn === 'latest' && at !== null) return { from: at - BEFORE_MS, to: at + 1 };
    return spans?.[i] ?? span;
  };
  const isNamed = !isOne || lines.length > 1;
  let at = 0;
  return (
    <>
      <p className={classes.made}>{made}</p>
      <Table.ScrollContainer minWidth={620}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('boards.origin.entity')}</Table.Th>
              <Table.Th>{t('boards.origin.stream')}</Table.Th>
              <Table.Th ta="right">{t('boards.origin.newest')}</Table.Th>
              <Table.Th>{t('boards.origin.at')}</Table.Th>
              <Table.Th>{t('boards.origin.rows')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          {lines.map((line) => (
            <Table.Tbody key={line.key}>
              {isNamed ? (
                <Table.Tr>
                  <Table.Th colSpan={5} scope="rowgroup">
                    {line.label}
                  </Table.Th>
                </Table.Tr>
              ) : null}
              {line.streams.map((one) => {
                const i = at++;
                return (
                  <Table.Tr key={`${one.deviceId} ${one.table} ${one.source} ${one.field}`}>
                    <Table.Td>{byId.get(one.entity)?.name ?? one.entity}</Table.Td>
                    <Table.Td>
                      <Place name={nameOf(one.deviceId)} stream={one} />
                    </Table.Td>
                    <Table.Td ta="right">{newestText(latest[i]?.value, one, line.units)}</Table.Td>
                    <Table.Td>{instantText(latest[i], zone)}</Table.Td>
                    <Table.Td>
                      <RowsLink stream={one} span={rowsOf(i)} zone={zone} />
                    </Table.Td>
                  </Table.Tr>
                );
              })}
            </Table.Tbody>
          ))}
        </Table>
      </Table.ScrollContainer>
    </>
  );
}

/** What was made of the streams, as a sentence. */
function useMade(
  { lines, fn, range }: Origin,
  { span, isSiteTime, latest }: { span: Span; isSiteTime: boolean; latest: readonly (Latest | undefined)[] },
): string {
  const { t } = useTranslation();
  const { zone, range: chosen } = useBoard();
  const now = useNow(30_000);
  const how = [...new Set(lines.map(({ combine }) => combine))]
    .map((combine) => t(`boards.combinations.${combine}`))
    .join(', ');
  if (fn === 'latest') {
    const counted = latest.filter((one) => one && now - one.eventAt <= STALE_MS).length;
    return t('boards.origin.latest', { counted, all: latest.length, how });
  }
  const what = t(`boards.options.${fn}`);
  if (isSiteTime)
    return t('boards.origin.overSites', {
      what,
      how,
      range: rangeLabel(rangeFromText(range) ?? chosen, zone),
    });
  const [from, to] = [formatInstant(span.from, zone, false), formatInstant(span.to, zone, false)];
  return t('boards.origin.over', { what, how, from, to, zone });
}

/** The device with its stream; what no device sends was written by a calculation, which has a page of its own. */
function Place({ name, stream }: { name: string | undefined; stream: Line['streams'][number] }) {
  const { t } = useTranslation();
  const { deviceId, table, source, field } = stream;
  const { world, labels } = useBoard();
  const own = world.labelsOf(stream);
  const names = labels.filter(({ id }) => own.includes(id)).map((label) => label.name);
  if (name === undefined)
    return (
      <Anchor
        component={Link}
        to="/kpis/calculation/$calculationId"
        params={{ calculationId: deviceId } as never}
        size="sm"
      >
        {t('boards.origin.calculated', { field })}
      </Anchor>
    );
  return (
    <>
      <Anchor component={Link} to="/devices/$id" params={{ id: deviceId } as never} size="sm">
        {name}
      </Anchor>
      {` › ${source} `}
      {names.length > 0 ? <span className={classes.labels}>{names.join(', ')} </span> : null}
      {`› ${table}.${field}`}
    </>
  );
}

/** Epoch ms; null of a stream that nothing came of yet, and while that is not known. */
const measuredAt = (newest: Latest | undefined): number | null => newest?.eventAt || null;

function instantText(newest: Latest | undefined, zone: string): string {
  const at = measuredAt(newest);
  return at === null ? '–' : formatInstant(at, zone);
}

function newestText(
  value: number | string | null | undefined,
  { factor, offset }: Line['streams'][number],
  units: string | null,
): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'number' ? formatValue(value * factor + offset, units ?? '') : value;
}
