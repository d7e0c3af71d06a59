import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { EmptyState } from '../../ui/states.tsx';
import type { ChartLine } from './chart-lines.ts';
import classes from './data-explorer.module.css';
import { isPlumbing } from './source-groups.ts';

interface SuggestionsProps {
  sources: readonly LatestSource[];
  onChoose: (lines: ChartLine[]) => void;
}

/** Nothing is chosen yet: the fields that most sources have, ready to draw. */
export function FieldSuggestions({ sources, onChoose }: SuggestionsProps) {
  const offers = useMemo(() => suggest(sources), [sources]);
  return (
    <EmptyState title="Choose what to chart" text="Tick some fields, or begin with one of these.">
      <div className={classes.offers}>
        {offers.map((offer) => (
          <Button key={offer.label} variant="default" size="sm" onClick={() => onChoose(offer.lines)}>
            {offer.label}
          </Button>
        ))}
      </div>
    </EmptyState>
  );
}

const OFFERS = 6;

/** For each table its first numeric fields, of all sources that have them. */
function suggest(sources: readonly LatestSource[]): { label: string; lines: ChartLine[] }[] {
  const tables = Map.groupBy(
    sources.filter((one) => !isPlumbing(one)),
    (one) => one.table,
  );
  const offers = [...tables].flatMap(([table, members]) => {
    const fields = new Set(
      members.flatMap((one) =>
        Object.entries(one.values).flatMap(([field, value]) => (typeof value === 'number' ? [field] : [])),
      ),
    );
    return [...fields].slice(0, 3).map((field) => {
      const lines = members
        .filter((one) => field in one.values)
        .map((one) => ({ table, source: one.source, field }))
        .slice(0, 12);
      return {
        label: lines.length > 1 ? `${field} of ${lines.length} sources` : `${lines[0]?.source} / ${field}`,
        lines,
      };
    });
  });
  return offers.toSorted((a, b) => b.lines.length - a.lines.length).slice(0, OFFERS);
}
