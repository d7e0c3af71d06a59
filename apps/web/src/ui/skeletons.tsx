import { Skeleton } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './skeletons.module.css';

/**
 * Placeholders while a form, a chart, figures, cards or lines of text load. Tables have theirs in `states.tsx`. Each takes about
 * as much space as the content, so nothing jumps when it arrives.
 */
function Waiting({
  children,
  className,
  style,
}: {
  children: ReactNode;
  className?: string | undefined;
  style?: CSSProperties;
}) {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t('states.loading')} className={className} style={style}>
      {children}
    </div>
  );
}

/** As many labels and fields as the form has. */
export function FormSkeleton({ fields = 5 }: { fields?: number }) {
  return (
    <Waiting className={classes.form}>
      {Array.from({ length: fields }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the fields of a skeleton are all alike.
        <div key={at}>
          <Skeleton height={12} width={`${20 + ((at * 13) % 18)}%`} mb={8} />
          <Skeleton height={36} radius={6} />
        </div>
      ))}
    </Waiting>
  );
}

/** Axes and a background; `height` in px. */
export function ChartSkeleton({ height = 320 }: { height?: number }) {
  return (
    <Waiting className={classes.chart} style={{ height }}>
      <Skeleton height={12} width={180} />
      <div className={classes.plot} />
    </Waiting>
  );
}

/** Tiles with one figure each. */
export function FiguresSkeleton({ count = 4 }: { count?: number }) {
  return (
    <Waiting className={classes.figures}>
      {Array.from({ length: count }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the tiles of a skeleton are all alike.
        <div key={at} className={classes.figure}>
          <Skeleton height={10} width="45%" />
          <Skeleton height={24} width="65%" />
          <Skeleton height={10} width="30%" />
        </div>
      ))}
    </Waiting>
  );
}

/** Lines of text, or of a list. */
export function LinesSkeleton({ lines = 6 }: { lines?: number }) {
  return (
    <Waiting className={classes.lines}>
      {Array.from({ length: lines }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a skeleton are all alike.
        <Skeleton key={at} height={12} width={`${55 + ((at * 23) % 40)}%`} />
      ))}
    </Waiting>
  );
}
