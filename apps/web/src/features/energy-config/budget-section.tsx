import { ActionIcon, Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useIsUnbound } from '../../app/permissions.ts';
import { useAttempt } from '../../app/use-submit.ts';
import edge from '../../ui/edges.module.css';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { localeTag } from '../../ui/units/locale.ts';
import { NO_VALUE } from '../../ui/units/numbers.ts';
import { formatValue } from '../../ui/units/units.ts';
import { useEdges } from '../../ui/use-edges.ts';
import { deviceListQuery } from '../devices/devices.queries.ts';
import classes from './energy-config.module.css';
import { budgetsQuery, configQuery, saveBudgets } from './energy-config.queries.ts';

const MONTHS = Array.from({ length: 12 }, (_, at) => String(at + 1).padStart(2, '0'));

/** Budgets of a year by month: of meter sites, or of devices where there are no sites. In kWh. */
export function BudgetSection({ wg }: { wg: string }) {
  const { t } = useTranslation();
  const isUnbound = useIsUnbound();
  const [year, setYear] = useState(() => new Date().getFullYear());
  const { data: config } = useQuery(configQuery(wg, 'meter-data-config'));
  const { data: devices } = useQuery(deviceListQuery(wg));
  const { data: budgets, error, refetch } = useQuery(budgetsQuery(wg, year));
  const subjects = useMemo(() => {
    const sites = (config?.value.sites ?? []).map(({ id, name }) => ({ id, name }));
    return sites.length > 0 ? sites : (devices ?? []).map(({ id, name }) => ({ id, name }));
  }, [config, devices]);
  const kept = useMemo(
    () => new Map((budgets ?? []).map((one) => [`${one.subject}|${one.month}`, one.energyKWh])),
    [budgets],
  );
  if (!isUnbound) return null;
  return (
    <Section
      title={t('energyConfig.budgets')}
      context={t('energyConfig.budgetsText')}
      actions={
        <>
          <ActionIcon
            variant="default"
            aria-label={t('energyConfig.yearBefore')}
            onClick={() => setYear(year - 1)}
          >
            <IconChevronLeft size={16} />
          </ActionIcon>
          <b>{year}</b>
          <ActionIcon
            variant="default"
            aria-label={t('energyConfig.yearAfter')}
            onClick={() => setYear(year + 1)}
          >
            <IconChevronRight size={16} />
          </ActionIcon>
        </>
      }
    >
      {error && !budgets ? (
        <ErrorState title={t('energyConfig.budgetsFailed')} error={error} onRetry={() => void refetch()} />
      ) : budgets && config && devices ? (
        subjects.length === 0 ? (
          <p className={classes.note}>{t('energyConfig.noSubjects')}</p>
        ) : (
          <Grid key={year} wg={wg} year={year} subjects={subjects} kept={kept} />
        )
      ) : (
        <TableSkeleton rows={3} />
      )}
    </Section>
  );
}

interface GridProps {
  wg: string;
  year: number;
  subjects: readonly { id: string; name: string }[];
  kept: ReadonlyMap<string, number>;
}

function Grid({ wg, year, subjects, kept }: GridProps) {
  const { t } = useTranslation();
  const edges = useEdges<HTMLDivElement>();
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const saving = useAttempt();
  const names = new Intl.DateTimeFormat(localeTag(), { month: 'short', timeZone: 'UTC' });
  const keyOf = (subject: string, month: string) => `${subject}|${year}-${month}`;
  const changed = Object.entries(texts).filter(([key, text]) => text !== textOf(kept.get(key)));
  const isWrong = (text: string) => !(Number(text) >= 0) || text.trim() === '';
  const faulty = changed.filter(([, text]) => isWrong(text));
  const save = () =>
    saving.attempt(async () => {
      await saveBudgets(wg, Object.fromEntries(changed.map(([key, text]) => [key, Number(text)])));
      setTexts({});
      notifyDone(t('energyConfig.budgetsSaved', { count: changed.length }));
    });
  const sumOf = (subject: string) => {
    const all = MONTHS.map((month) => {
      const key = keyOf(subject, month);
      return key in texts ? Number(texts[key]) : kept.get(key);
    });
    const known = all.filter((value) => value !== undefined && Number.isFinite(value)) as number[];
    return known.length === 0
      ? NO_VALUE
      : formatValue(
          known.reduce((sum, one) => sum + one, 0),
          'kWh',
        );
  };
  return (
    <div className={classes.fields}>
      <div className={edge.edges}>
        <section
          ref={edges}
          style={{ overflowX: 'auto' }}
          aria-label={t('energyConfig.budgets')}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls inside itself.
          tabIndex={0}
        >
          <table className={classes.budgets}>
            <thead>
              <tr>
                <th scope="col">{t('energyConfig.kWh')}</th>
                {MONTHS.map((month) => (
                  <th key={month} scope="col">
                    {names.format(Date.UTC(year, Number(month) - 1, 1))}
                  </th>
                ))}
                <th scope="col">{t('energyConfig.wholeYear')}</th>
              </tr>
            </thead>
            <tbody>
              {subjects.map(({ id, name }) => (
                <tr key={id}>
                  <th scope="row">{name}</th>
                  {MONTHS.map((month) => {
                    const key = keyOf(id, month);
                    const text = texts[key] ?? textOf(kept.get(key));
                    const isChanged = changed.some(([one]) => one === key);
                    return (
                      <td key={month}>
                        <input
                          inputMode="decimal"
                          aria-label={t('energyConfig.budgetOf', { name, month: `${year}-${month}` })}
                          aria-invalid={isChanged && isWrong(text)}
                          data-is-changed={isChanged}
                          value={text}
                          onChange={(event) => setTexts({ ...texts, [key]: event.currentTarget.value })}
                        />
                      </td>
                    );
                  })}
                  <td>{sumOf(id)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </div>
      <Failure text={saving.failure ?? (faulty.length > 0 ? t('energyConfig.budgetWrong') : null)} />
      <div className={classes.buttons}>
        <Button variant="default" disabled={changed.length === 0} onClick={() => setTexts({})}>
          {t('energyConfig.discard')}
        </Button>
        <Button
          disabled={changed.length === 0 || faulty.length > 0}
          loading={saving.isWorking}
          onClick={() => void save()}
        >
          {t('energyConfig.saveBudgets')}
        </Button>
      </div>
    </div>
  );
}

/** A budget as it is written; empty for none. */
const textOf = (value: number | undefined): string => (value === undefined ? '' : String(value));
