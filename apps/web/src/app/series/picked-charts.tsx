import { Button, Drawer, Skeleton } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { createContext, type ReactNode, type Ref, use, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TimeRangeRoom } from '../../ui/time-range/time-range-room.tsx';
import classes from './picked-charts.module.css';

interface PickedChartsProps {
  /** What fields are picked from. On a narrow screen it is behind a button. */
  picker: ReactNode;
  /** Fields that are picked. */
  count: number;
  tools: ReactNode;
  /** The picker of the time range. */
  range: ReactNode;
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

const Picking = createContext(() => {});

/** The next step where nothing is picked and the picker is behind a button. */
export function PickFirst() {
  const { t } = useTranslation();
  const pick = use(Picking);
  return (
    <Button className={classes.pick} onClick={pick}>
      {t('telemetry.data.pickFields')}
    </Button>
  );
}

/** Charts beside what is picked for them. `ref` is what the charts have the width of. */
export function PickedCharts({ picker, count, tools, range, ref, children }: PickedChartsProps) {
  const { t } = useTranslation();
  const [isPicking, setPicking] = useState(false);
  return (
    <div className={classes.page}>
      <aside className={classes.side} aria-label={t('telemetry.fields')}>
        {picker}
      </aside>
      <div ref={ref} className={classes.main}>
        <TimeRangeRoom
          tools={
            <div className={classes.tools}>
              <Button
                variant="default"
                className={classes.pick}
                leftSection={<IconListCheck size={16} />}
                onClick={() => setPicking(true)}
              >
                {t('telemetry.data.fieldsChosen', { count })}
              </Button>
              {tools}
              <div className={classes.range}>{range}</div>
            </div>
          }
        />
        <Picking value={() => setPicking(true)}>{children}</Picking>
      </div>
      <Drawer
        opened={isPicking}
        onClose={() => setPicking(false)}
        title={t('telemetry.fields')}
        size="min(92vw, 400px)"
      >
        {picker}
      </Drawer>
    </div>
  );
}

/** In the place of charts that are on their way. */
export function PickedChartsSkeleton() {
  return (
    <div className={classes.page}>
      <aside className={classes.side}>
        {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => (
          <Skeleton key={key} height={14} mb={14} />
        ))}
      </aside>
      <div className={classes.main}>
        <Skeleton height={36} />
        <Skeleton height={460} />
      </div>
    </div>
  );
}

/** Charts one below the other, each in a card. */
export function ChartColumn({ ref, children }: { ref?: Ref<HTMLDivElement>; children: ReactNode }) {
  return (
    <div ref={ref} className={classes.charts}>
      {children}
    </div>
  );
}

export function ChartCard({ children }: { children: ReactNode }) {
  return <div className={classes.card}>{children}</div>;
}
