import { SegmentedControl } from '@mantine/core';

interface FilterControlProps<V extends string> {
  list: { shown: V; choose: (value: V) => void; count: (value: V) => number };
  values: readonly V[];
  label: string;
  titleOf: (value: V) => string;
}

/** Chooses which rows the list shows, with how many there are. */
export function FilterControl<V extends string>({ list, values, label, titleOf }: FilterControlProps<V>) {
  return (
    <SegmentedControl
      aria-label={label}
      value={list.shown}
      onChange={(value) => list.choose(value as V)}
      data={values.map((value) => ({ value, label: `${titleOf(value)} · ${list.count(value)}` }))}
    />
  );
}
