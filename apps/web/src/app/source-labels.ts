import { labellingApi } from '@albedo/contract/labelling/labelling.api';
import {
  isLabelled,
  type LabelledSource,
  type SourceLabels,
} from '@albedo/contract/labelling/labelling.schema';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from './call.ts';
import { type Label, useLabels } from './labels.ts';
import { useWorkgroup } from './session.ts';

/** The sources that have labels or stand below others. */
export const labellingQuery = (wg: string) =>
  queryOptions({
    queryKey: ['labelling', wg],
    queryFn: ({ signal }) => call(labellingApi.list, { params: { wg } }, signal),
  });

/** How the sources of the workgroup are labelled. */
export interface KnownSourceLabels {
  /** Labels that some source has, in the order of the workgroup. */
  offered: readonly Label[];
  /** The labels of a source, including those of its parents. */
  of: (device: string, source: string) => readonly Label[];
  /** Whether any source of the device has the label. */
  isOn: (device: string, label: string) => boolean;
}

/** Empty until they are loaded, or if that fails: the lists that show them do not wait. */
export function useSourceLabels(): KnownSourceLabels {
  const wg = useWorkgroup();
  const labels = useLabels();
  const { data } = useQuery({ ...labellingQuery(wg), enabled: labels.length > 0, staleTime: 60_000 });
  return useMemo(() => knownSourceLabels(labels, data ?? []), [labels, data]);
}

export function knownSourceLabels(
  labels: readonly Label[],
  labelled: readonly LabelledSource[],
): KnownSourceLabels {
  const byDevice = new Map<string, SourceLabels>(
    [...Map.groupBy(labelled, ({ device }) => device)].map(([device, sources]) => [
      device,
      Object.fromEntries(sources.map(({ source, labels: ids, parent }) => [source, { labels: ids, parent }])),
    ]),
  );
  const used = new Set(labelled.flatMap(({ labels: ids }) => ids));
  return {
    offered: labels.filter(({ id }) => used.has(id)),
    of: (device, source) => {
      const own = byDevice.get(device);
      return own ? labels.filter(({ id }) => used.has(id) && isLabelled(own, source, id)) : [];
    },
    isOn: (device, label) =>
      Object.values(byDevice.get(device) ?? {}).some(({ labels: ids }) => ids.includes(label)),
  };
}

/** Gives the label names of a source of the device. */
export const namesOn =
  (labelling: KnownSourceLabels, device: string) =>
  ({ source }: { source: string }): readonly string[] =>
    labelling.of(device, source).map(({ name }) => name);

export const hasLabel = (
  labelling: KnownSourceLabels,
  device: string,
  source: string,
  label: string,
): boolean => labelling.of(device, source).some(({ id }) => id === label);
