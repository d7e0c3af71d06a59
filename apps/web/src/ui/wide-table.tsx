import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

interface WideTableProps {
  label: string;
  /** What its columns need, px; on a narrower screen it scrolls inside itself, with keys too. */
  leastPx: number;
  children: ReactNode;
}

/** A small table that may be wider than the screen. */
export function WideTable({ label, leastPx, children }: WideTableProps) {
  return (
    <Table.ScrollContainer minWidth={leastPx} type="native" role="region" aria-label={label} tabIndex={0}>
      <Table verticalSpacing={6} horizontalSpacing="md">
        {children}
      </Table>
    </Table.ScrollContainer>
  );
}
