import type { SetpointKind } from '@albedo/contract/schedules/setpoints';
import { ActionIcon, Button, Menu, SegmentedControl, Tooltip } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconChevronLeft,
  IconChevronRight,
  IconDots,
  IconDownload,
  IconPlus,
  IconRepeat,
  IconUpload,
} from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { saveFile } from '../../ui/data-table/csv.ts';
import { useSearchChange } from '../../ui/data-table/use-table-address.ts';
import { formatDay } from '../../ui/time-range/zoned-time.ts';
import { CsvDialog } from './csv-dialog.tsx';
import { PatternDialog } from './pattern-dialog.tsx';
import { dateIn } from './patterns.ts';
import { stepsToCsv } from './schedule-csv.ts';
import classes from './schedules.module.css';
import { StepChart } from './step-chart.tsx';
import { StepTable } from './step-table.tsx';
import { layOver } from './steps.ts';
import { dayAround } from './time-ticks.ts';
import { type Draft, sortedSteps } from './use-draft.ts';
import { axisOf, FIRST_VALUE, valueText } from './values.ts';

interface StepEditorProps {
  kind: SetpointKind;
  draft: Draft;
  zone: string;
  /** What the chart is of, and the file is called. */
  name: string;
  isReadOnly: boolean;
  /** What is wrong with steps, by their place in time. */
  faults?: ReadonlyMap<number, string>;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The chart of a schedule and its table beside it; the same steps in both. */
export function StepEditor({ kind, draft, zone, name, isReadOnly, faults }: StepEditorProps) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const search = useSearch({ strict: false }) as { day?: unknown };
  const changeSearch = useSearchChange();
  const [opened, setOpened] = useState<'pattern' | 'csv' | null>(null);
  const sorted = sortedSteps(draft);
  const axis = axisOf(
    t,
    kind,
    sorted.map(({ value }) => value),
  );
  const day = /^\d{4}-\d{2}-\d{2}$/.test(String(search.day ?? '')) ? String(search.day) : null;
  const view = day ? dayView(day, zone) : wholeView(sorted, draft.end, now, zone);
  const goTo = (next: string | null) => changeSearch({ day: next ?? undefined }, { isStep: false });
  const firstDay = dateIn(sorted.find(({ at }) => at > now)?.at ?? sorted[0]?.at ?? now, zone);
  const textOf = (value: string) => valueText(t, kind, value);
  const lastStep = sorted.at(-1);
  const addStep = () =>
    draft.add({
      at: lastStep ? lastStep.at + HOUR : Math.ceil(now / HOUR) * HOUR,
      // After a value comes its end, as somebody goes on from there.
      value: lastStep?.value ? '' : kind === 'setpoint_activepower' ? '60%' : FIRST_VALUE[kind],
    });
  return (
    <div className={classes.editor}>
      <div className={classes.tools}>
        <SegmentedControl
          size="xs"
          aria-label={t('schedules.view')}
          value={day ? 'day' : 'all'}
          data={(['all', 'day'] as const).map((value) => ({ value, label: t(`schedules.views.${value}`) }))}
          onChange={(next) => goTo(next === 'day' ? firstDay : null)}
        />
        {day ? (
          <div className={classes.days}>
            <ActionIcon
              variant="default"
              aria-label={t('schedules.dayBefore')}
              onClick={() => goTo(dateIn(view.from - HOUR, zone))}
            >
              <IconChevronLeft size={16} />
            </ActionIcon>
            <span className="tabular">{formatDay(view.from + HOUR, zone)}</span>
            <ActionIcon
              variant="default"
              aria-label={t('schedules.dayAfter')}
              onClick={() => goTo(dateIn(view.to + HOUR, zone))}
            >
              <IconChevronRight size={16} />
            </ActionIcon>
          </div>
        ) : null}
        <div className={classes.toolsRight}>
          {isReadOnly ? null : (
            <>
              <Tooltip label={t('schedules.undo')}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('schedules.undo')}
                  disabled={!draft.undo}
                  onClick={() => draft.undo?.()}
                >
                  <IconArrowBackUp size={18} />
                </ActionIcon>
              </Tooltip>
              <Tooltip label={t('schedules.redo')}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('schedules.redo')}
                  disabled={!draft.redo}
                  onClick={() => draft.redo?.()}
                >
                  <IconArrowForwardUp size={18} />
                </ActionIcon>
              </Tooltip>
              <Button size="xs" variant="default" leftSection={<IconPlus size={16} />} onClick={addStep}>
                {t('schedules.addStep')}
              </Button>
              <Button
                size="xs"
                variant="default"
                leftSection={<IconRepeat size={16} />}
                onClick={() => setOpened('pattern')}
              >
                {t('schedules.pattern.do')}
              </Button>
            </>
          )}
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="default" size={30} aria-label={t('schedules.csv.menu')}>
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {isReadOnly ? null : (
                <Menu.Item leftSection={<IconUpload size={16} />} onClick={() => setOpened('csv')}>
                  {t('schedules.csv.in')}
                </Menu.Item>
              )}
              <Menu.Item
                leftSection={<IconDownload size={16} />}
                disabled={sorted.length === 0}
                onClick={() => saveFile(`${name || 'schedule'}.csv`, stepsToCsv(sorted))}
              >
                {t('schedules.csv.out')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </div>
      </div>
      <StepChart
        label={t('schedules.chartOf', { name })}
        axis={axis}
        zone={zone}
        now={now}
        view={view}
        lines={[{ name, steps: sorted, end: draft.end }]}
        textOf={textOf}
        height={260}
        {...(isReadOnly
          ? {}
          : {
              editing: {
                onAdd: draft.add,
                onMove: (index, step) => {
                  const key = sorted[index]?.key;
                  if (key === undefined) draft.setEnd(step.at);
                  else draft.put(key, step);
                },
                onRemove: (index) => {
                  const key = sorted[index]?.key;
                  if (key !== undefined) draft.remove(key);
                },
              },
            })}
      />
      {isReadOnly ? null : <p className={classes.note}>{t('schedules.chartHelp')}</p>}
      <StepTable
        kind={kind}
        draft={draft}
        zone={zone}
        view={day ? view : null}
        isReadOnly={isReadOnly}
        faults={faults ?? NO_FAULTS}
      />
      {opened === 'pattern' ? (
        <PatternDialog
          kind={kind}
          zone={zone}
          day={firstDay}
          onTake={(times) => draft.replace(layOver(sorted, times))}
          onClose={() => setOpened(null)}
        />
      ) : null}
      {opened === 'csv' ? (
        <CsvDialog kind={kind} zone={zone} onTake={draft.replace} onClose={() => setOpened(null)} />
      ) : null}
    </div>
  );
}

const NO_FAULTS: ReadonlyMap<number, string> = new Map();

const dayView = (day: string, zone: string) => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  // Noon is in the day that is meant, whatever the zone is.
  const noon = Date.UTC(year, month - 1, date, 12);
  const around = [noon - DAY / 2, noon, noon + DAY / 2].find((at) => dateIn(at, zone) === day) ?? noon;
  return dayAround(around, zone);
};

/** All of a schedule with some room around it; the day around now where there is nothing yet. */
function wholeView(steps: readonly { at: number }[], end: number | null, now: number, zone: string) {
  const [first, last] = [steps[0]?.at, steps.at(-1)?.at];
  if (first === undefined || last === undefined) return dayAround(now, zone);
  const to = Math.max(end ?? 0, last);
  const room = Math.max(2 * HOUR, (to - first) * 0.06);
  return { from: first - room, to: to + room };
}
