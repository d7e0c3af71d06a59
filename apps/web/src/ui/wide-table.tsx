import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './edges.module.css';
import { useEdges } from './use-edges.ts';

interface WideTableProps {
  label: string;
  /** What its columns need, px; on a narrower screen it scrolls inside itself, with keys too, and says at its edges that there is more. */
  leastPx: number;
  children: ReactNode;
}

/** A small table that may be wider than the screen. */
export function WideTable({ label, leastPx, children }: WideTableProps) {
  const edges = useEdges<HTMLDivElement>();
  return (
    <div className={classes.edges}>
      <Table.ScrollContainer
        ref={edges}
        minWidth={leastPx}
        type="native"
        role="region"
        aria-label={label}
        tabIndex={0}
      >
        <Table verticalSpacing={6} horizontalSpacing="md">
          {children}
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}
