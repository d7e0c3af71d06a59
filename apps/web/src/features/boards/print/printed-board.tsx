import type { BoardVariable } from '@albedo/contract/boards/variables.schema';
import { useMantineColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { browserZone } from '../../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../../ui/time-range/zoned-time.ts';
import { useBoard } from '../board-context.ts';
import classes from './print.module.css';
import { endPrint, useIsPrinting } from './printing.ts';

/** Nothing more has come for so long: the board is complete, ms. */
const QUIET_MS = 700;
/** Whatever is still missing then is printed as it is, ms. */
const LONGEST_MS = 20_000;

interface PrintedBoardProps {
  name: string;
  /** Of the board; what they are stands beside its name. */
  variables: readonly BoardVariable[] | undefined;
  children: ReactNode;
}

/** The board as it goes to paper: all of it, in light colours, with what it is and in whose time. */
export function PrintedBoard({ name, variables, children }: PrintedBoardProps) {
  const isPrinting = useIsPrinting();
  return (
    <div className={isPrinting ? classes.paper : undefined} data-printed={isPrinting}>
      {isPrinting ? <Heading name={name} variables={variables} /> : null}
      {children}
    </div>
  );
}

function Heading({ name, variables = [] }: Omit<PrintedBoardProps, 'children'>) {
  const { t } = useTranslation();
  const { span, zone, byId, entityId, bindings } = useBoard();
  usePrintWhenComplete();
  const time = (at: number) => formatInstant(at, zone, false);
  return (
    <header className={classes.heading}>
      <h1>{[name, byId.get(entityId)?.name].filter(Boolean).join(' · ')}</h1>
      {variables.length > 0 ? (
        <dl>
          {variables.map((one) => (
            <div key={one.name}>
              <dt>{one.title || one.name}</dt>
              <dd>{bindings.get(one.name)?.text}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      <p>
        {t('boards.printed', {
          from: time(span.from),
          to: time(span.to),
          zone: zone || browserZone(),
          at: time(Date.now()),
        })}
      </p>
    </header>
  );
}

function usePrintWhenComplete(): void {
  const client = useQueryClient();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with the colours of the moment before.
  useEffect(() => {
    const before = colorScheme;
    setColorScheme('light');
    const begunAt = Date.now();
    let quietSince = begunAt;
    const timer = setInterval(() => {
      const now = Date.now();
      if (client.isFetching({ queryKey: ['board-answer'] }) > 0) quietSince = now;
      if (now - quietSince < QUIET_MS && now - begunAt < LONGEST_MS) return;
      clearInterval(timer);
      window.print();
      endPrint();
    }, 100);
    return () => {
      clearInterval(timer);
      setColorScheme(before);
      endPrint();
    };
  }, []);
}
