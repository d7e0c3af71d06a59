import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { Box, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ChartLine, lineToText } from '../../app/series/chart-lines.ts';
import { LabelFilter } from '../../app/series/label-filter.tsx';
import { Opener, PickerFrame } from '../../app/series/picker-frame.tsx';
import { groupSources, onlyNumbers, ownSources, searchSources } from '../../app/series/source-groups.ts';
import { SourceList } from '../../app/series/source-list.tsx';
import { type Opened, useOpened, useTreeSearch } from '../../app/series/use-opened.ts';
import { useWorkgroup } from '../../app/session.ts';
import { hasLabel, type KnownSourceLabels, namesOn, useSourceLabels } from '../../app/source-labels.ts';
import { messageOf } from '../../ui/message-of.ts';
import { latestQuery } from '../devices/devices.queries.ts';
import { useTables } from '../telemetry/telemetry.queries.ts';
import { MOST_LINES } from './analysis-address.ts';
import { type AnalysisLine, isStream, type StreamLine } from './analysis-lines.ts';

interface DeviceTreeProps {
  devices: readonly DeviceSummary[];
  lines: readonly AnalysisLine[];
  onChange: (lines: AnalysisLine[]) => void;
  /** What stands above the devices, such as formulas. */
  children?: ReactNode;
}

/** A device that is open is asked again so often, ms: sources begin while somebody looks. */
const AGAIN_MS = 15_000;
/** Devices whose sources a search looks through; of others it finds the name. */
const SEARCHED = 30;

/** Devices, their sources, and fields to tick. */
export function DeviceTree({ devices, lines, onChange, children }: DeviceTreeProps) {
  const { t } = useTranslation();
  const { search, opened, onSearch } = useTreeSearch();
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const words = wanted.split(/\s+/).filter(Boolean);
  const labelling = useSourceLabels();
  const [label, setLabel] = useState<string | null>(null);
  const sorted = useMemo(() => devices.toSorted((a, b) => a.name.localeCompare(b.name)), [devices]);
  const found = sorted
    .filter(({ id }) => label === null || labelling.isOn(id, label))
    .map((device, place) => ({
      device,
      // What the name does not say has to be found in the sources.
      left: words.filter((word) => !device.name.toLowerCase().includes(word)).join(' '),
      isSearched: place < SEARCHED,
    }))
    .filter(({ left, isSearched }) => left === '' || left !== wanted || isSearched);
  const isFull = lines.length >= MOST_LINES;
  return (
    <PickerFrame
      label={t('analysis.tree.search')}
      search={search}
      onSearch={onSearch}
      count={lines.length}
      isFull={isFull}
      onClear={() => onChange([])}
      filter={<LabelFilter labels={labelling.offered} value={label} onChange={setLabel} />}
    >
      {children}
      {found.map(({ device, left }) => (
        <DeviceNode
          key={device.id}
          device={device}
          wanted={left}
          isFound={wanted !== '' || label !== null}
          labelling={labelling}
          label={label}
          opened={opened}
          isAlone={devices.length === 1}
          lines={lines}
          onChange={onChange}
        />
      ))}
    </PickerFrame>
  );
}

interface DeviceNodeProps {
  device: DeviceSummary;
  /** Looked for in the sources; empty shows all of them. */
  wanted: string;
  /** A search shows it. */
  isFound: boolean;
  labelling: KnownSourceLabels;
  /** Only sources with this label are shown; null shows all. */
  label: string | null;
  /** Which devices are. */
  opened: Opened;
  isAlone: boolean;
  lines: readonly AnalysisLine[];
  onChange: (lines: AnalysisLine[]) => void;
}

function DeviceNode(props: DeviceNodeProps) {
  const { device, wanted, isFound, labelling, label, opened, isAlone, lines, onChange } = props;
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const own = lines.filter((line): line is StreamLine => isStream(line) && line.device === device.id);
  const isOpen = opened.isOpen(
    device.id,
    isAlone || wanted !== '' || label !== null || (own.length > 0 && !isFound),
  );
  const query = useQuery({
    ...latestQuery(wg, device.id),
    enabled: isOpen,
    refetchInterval: AGAIN_MS,
  });
  const sources = useMemo(() => ownSources(query.data).flatMap(onlyNumbers), [query.data]);
  const names = isOpen ? [...new Set(sources.map((one) => one.table))] : [];
  const { byName: tables, isPending: areTablesPending } = useTables(wg, names);
  // Sources stand in the order of what they measure: drawn before that is known, they would move under the pointer.
  const [isInOrder, setInOrder] = useState(false);
  if (!isInOrder && query.data && isOpen && !areTablesPending) setInOrder(true);
  const groups = useMemo(() => {
    const left = sources.filter(
      ({ source }) => label === null || hasLabel(labelling, device.id, source, label),
    );
    return groupSources(searchSources(left, wanted, namesOn(labelling, device.id)), tables);
  }, [sources, wanted, tables, labelling, device.id, label]);
  const openedSources = useOpened();
  const chosen = useMemo(() => new Set(own.map(lineToText)), [own]);
  if (wanted !== '' && groups.length === 0) return null;
  const place = (line: ChartLine): StreamLine => ({ device: device.id, ...line });
  const toggle = (line: ChartLine) => {
    const text = lineToText(line);
    if (!chosen.has(text)) return onChange([...lines, place(line)]);
    onChange(
      [...lines].filter((one) => !(isStream(one) && one.device === device.id && lineToText(one) === text)),
    );
  };
  const chooseAll = (table: string, field: string) => {
    const all = sources.filter((one) => one.table === table && field in one.values);
    const more = all.map((one) => place({ table, source: one.source, field }));
    const fresh = more.filter((line) => !chosen.has(lineToText(line)));
    onChange([...lines, ...fresh].slice(0, MOST_LINES));
  };
  return (
    <section aria-label={device.name}>
      <Opener isTop isOpen={isOpen} onToggle={() => opened.set([device.id], !isOpen)} count={own.length}>
        {device.name}
      </Opener>
      {isOpen ? (
        <Box pl={14}>
          {query.isPending || (query.data && !isInOrder) ? <Skeleton height={60} my={8} /> : null}
          {query.isError ? (
            <Text size="sm" c="dimmed">
              {messageOf(query.error)}
            </Text>
          ) : null}
          {query.data && groups.length === 0 ? (
            <Text size="sm" c="dimmed" py={4}>
              {t('analysis.tree.empty')}
            </Text>
          ) : null}
          {isInOrder ? (
            <SourceList
              groups={groups}
              tables={tables}
              chosen={chosen}
              isFull={lines.length >= MOST_LINES}
              areOpen={wanted !== '' || sources.length <= 3}
              labelsOf={namesOn(labelling, device.id)}
              opened={openedSources}
              onToggle={toggle}
              onChooseAll={chooseAll}
            />
          ) : null}
        </Box>
      ) : null}
    </section>
  );
}
