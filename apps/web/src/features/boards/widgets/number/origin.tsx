import type { ValueFunction } from '@albedo/contract/boards/widgets/value-functions';
import { Anchor, Modal, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { rangeFromText, rangeLabel } from '../../../../ui/time-range/time-range.ts';
import { formatInstant } from '../../../../ui/time-range/zoned-time.ts';
import { formatValue } from '../../../../ui/units/units.ts';
import { deviceListQuery } from '../../../devices/devices.queries.ts';
import { useBoard } from '../../board-context.ts';
import type { Line } from '../../lines.ts';
import { useLatest } from '../../live-values.ts';
import { type Figure, useOwnSpan } from '../../use-figures.ts';
import classes from './number.module.css';
import { OriginIcon } from './origin-icon.tsx';

interface OriginProps {
  figure: Figure;
  fn: ValueFunction;
  range: string | undefined;
  /** Each stream was taken over the range by the clock of its site. */
  isSiteTime: boolean;
  title: string;
}

/** Opens where a figure comes from: its streams, each with its newest value, and what was made of them. */
export function OriginButton(props: OriginProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { isDisplay, isEditing } = useBoard();
  // A screen on a wall shows what it shows; in the editor nothing opens.
  if (isDisplay || isEditing || props.figure.line.streams.length === 0) return null;
  return (
    <>
      <OriginIcon title={props.title} onOpen={() => setOpen(true)} />
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        size="xl"
        title={props.title}
        closeButtonProps={{ 'aria-label': t('actions.close') }}
      >
        {isOpen ? <Origin {...props} /> : null}
      </Modal>
    </>
  );
}

function Origin({ figure: { line, of }, fn, range, isSiteTime }: OriginProps) {
  const { t } = useTranslation();
  const { wg, live, zone, byId, range: chosen } = useBoard();
  const span = useOwnSpan(range);
  const { data: devices } = useQuery(deviceListQuery(wg));
  const latest = useLatest(live, line.streams, true);
  const nameOf = (id: string) => devices?.find((one) => one.id === id)?.name;
  const made = () => {
    const how = t(`boards.combinations.${line.combine}`);
    if (fn === 'latest') return t('boards.origin.latest', { ...of, how });
    const what = t(`boards.options.${fn}`);
    if (isSiteTime)
      return t('boards.origin.overSites', {
        what,
        how,
        range: rangeLabel(rangeFromText(range) ?? chosen, zone),
      });
    const [from, to] = [formatInstant(span.from, zone, false), formatInstant(span.to, zone, false)];
    return t('boards.origin.over', { what, how, from, to, zone });
  };
  return (
    <>
      <p className={classes.made}>{made()}</p>
      <Table.ScrollContainer minWidth={560}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('boards.origin.entity')}</Table.Th>
              <Table.Th>{t('boards.origin.stream')}</Table.Th>
              <Table.Th ta="right">{t('boards.origin.newest')}</Table.Th>
              <Table.Th>{t('boards.origin.at')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {line.streams.map((one, i) => (
              <Table.Tr key={`${one.deviceId} ${one.table} ${one.source} ${one.field}`}>
                <Table.Td>{byId.get(one.entity)?.name ?? one.entity}</Table.Td>
                <Table.Td>
                  <Place name={nameOf(one.deviceId)} stream={one} />
                </Table.Td>
                <Table.Td ta="right">{newestText(latest[i]?.value, one, line.units)}</Table.Td>
                <Table.Td>{latest[i] ? formatInstant(latest[i].eventAt, zone) : '–'}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}

/** The device with its stream; what no device sends was written by a calculation, which has a page of its own. */
function Place({ name, stream }: { name: string | undefined; stream: Line['streams'][number] }) {
  const { t } = useTranslation();
  const { deviceId, table, source, field } = stream;
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
      {` › ${source} › ${table}.${field}`}
    </>
  );
}

function newestText(
  value: number | string | null | undefined,
  { factor, offset }: Line['streams'][number],
  units: string | null,
): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'number' ? formatValue(value * factor + offset, units ?? '') : value;
}
