import type { SetpointKind } from '@albedo/contract/schedules/setpoints';
import { ActionIcon, Table } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { FocusEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { WideTable } from '../../ui/wide-table.tsx';
import { MomentField } from './moment-field.tsx';
import classes from './schedules.module.css';
import { type Draft, type EditedStep, sortedSteps } from './use-draft.ts';
import { ValueField } from './value-field.tsx';
import { type Parts, partsOf, valueFrom, valueText } from './values.ts';
import { dayAndClock, utcText } from './when-text.ts';

interface StepTableProps {
  kind: SetpointKind;
  draft: Draft;
  zone: string;
  /** Only what is in it; null for all. */
  view: { from: number; to: number } | null;
  isReadOnly: boolean;
  faults: ReadonlyMap<number, string>;
}

/** The same in all languages. */
const UTC = 'UTC';

/** Rows that stand at once; of more, a day is chosen. */
const SHOWN = 100;

/** Each step with its exact time at the site and in UTC. */
export function StepTable({ kind, draft, zone, view, isReadOnly, faults }: StepTableProps) {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  const sorted = sortedSteps(draft);
  const places = new Map(sorted.map(({ key }, index) => [key, index]));
  const inView = draft.steps.filter(({ at }) => !view || (at >= view.from && at < view.to));
  const shown = inView.slice(0, SHOWN);
  if (draft.steps.length === 0) return <p className={classes.hint}>{t('schedules.noStepsText')}</p>;
  const rows = shown.map((step) => {
    const place = places.get(step.key) ?? 0;
    const isTwice = sorted[place - 1]?.at === step.at;
    const fault = isTwice ? t('schedules.stepTwice') : (faults.get(place) ?? null);
    const props = { step, kind, zone, fault };
    return isReadOnly ? (
      <ReadRow key={step.key} {...props} />
    ) : (
      <StepRow key={step.key} {...props} number={place + 1} draft={draft} isNarrow={isNarrow} />
    );
  });
  return (
    <>
      {isNarrow && !isReadOnly ? (
        <ul className={classes.narrowSteps} aria-label={t('schedules.steps.table')}>
          {rows}
        </ul>
      ) : (
        <WideTable label={t('schedules.steps.table')} leastPx={isReadOnly ? 480 : 660}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('schedules.from')}</Table.Th>
              <Table.Th>{UTC}</Table.Th>
              <Table.Th>{t('schedules.value')}</Table.Th>
              {isReadOnly ? null : <Table.Th aria-label={t('schedules.removeStep')} />}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody className="tabular">{rows}</Table.Tbody>
        </WideTable>
      )}
      {inView.length > shown.length ? (
        <p className={classes.note}>{t('schedules.moreSteps', { shown: SHOWN, count: inView.length })}</p>
      ) : null}
    </>
  );
}

interface ReadRowProps {
  step: EditedStep;
  kind: SetpointKind;
  zone: string;
  fault: string | null;
}

function ReadRow({ step, kind, zone, fault }: ReadRowProps) {
  const { t } = useTranslation();
  return (
    <Table.Tr>
      <Table.Td>{dayAndClock(step.at, zone)}</Table.Td>
      <Table.Td c="dimmed">{utcText(step.at)}</Table.Td>
      <Table.Td>
        {step.value === '' ? t('schedules.units.end') : valueText(t, kind, step.value)}
        {fault ? <div className={classes.fault}>{fault}</div> : null}
      </Table.Td>
    </Table.Tr>
  );
}

interface StepRowProps extends ReadRowProps {
  number: number;
  draft: Draft;
  /** A part of a list in place of a row. */
  isNarrow: boolean;
}

function StepRow({ step, number, kind, zone, draft, fault, isNarrow }: StepRowProps) {
  const { t } = useTranslation();
  const take = (parts: Parts) => {
    // What is no value yet stands as it was typed, and is told when it is sent.
    let value: string;
    try {
      value = valueFrom(kind, parts);
    } catch {
      value = rawOf(parts);
    }
    draft.put(step.key, { at: step.at, value });
  };
  const handleBlur = (event: FocusEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) draft.sort();
  };
  const when = (
    <MomentField
      isInTable
      at={step.at}
      zone={zone}
      labels={{ date: t('schedules.dateOf', { number }), time: t('schedules.timeOf', { number }) }}
      onChange={(at) => draft.put(step.key, { at, value: step.value })}
    />
  );
  const what = (
    <div>
      <ValueField
        isInTable
        mayEnd
        kind={kind}
        parts={typedParts(kind, step.value)}
        label={t('schedules.valueOf', { number })}
        onChange={take}
      />
      {fault ? <div className={classes.fault}>{fault}</div> : null}
    </div>
  );
  const remove = (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={t('schedules.removeOne', { number })}
      onClick={() => draft.remove(step.key)}
    >
      <IconX size={16} />
    </ActionIcon>
  );
  const utc = <span className={classes.utc}>{utcText(step.at)}</span>;
  if (isNarrow)
    return (
      <li onBlur={handleBlur}>
        {when}
        {what}
        {remove}
        {utc}
      </li>
    );
  return (
    <Table.Tr onBlur={handleBlur}>
      <Table.Td>{when}</Table.Td>
      <Table.Td>{utc}</Table.Td>
      <Table.Td>{what}</Table.Td>
      <Table.Td>{remove}</Table.Td>
    </Table.Tr>
  );
}

/** Parts that are no value, in a text that keeps both. */
const rawOf = ({ number, unit }: Parts): string => `${number ?? ''}|${unit}`;

function typedParts(kind: SetpointKind, value: string): Parts {
  const [number, unit] = value.split('|');
  return unit === undefined ? partsOf(kind, value) : { number: number === '' ? null : Number(number), unit };
}
