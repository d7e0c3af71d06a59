import {
  type Calculation,
  type NewCalculation,
  newCalculation,
} from '@albedo/contract/calculations/calculations.schema';
import { Anchor, Button, Group, Skeleton, Switch, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../app/call.ts';
import type { Line } from '../../app/figures/value-fields.tsx';
import { faultsIn, linesOf, ValueLines, valuesOf } from '../../app/figures/value-lines.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { lastSavedBy } from '../../app/versions/newest.ts';
import { useOpened } from '../../app/versions/use-opened.ts';
import { useSaveOver } from '../../app/versions/use-save-over.tsx';
import { VersionsButton } from '../../app/versions/versions-button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { Backfill } from './backfill.tsx';
import classes from './calculations.module.css';
import { calculationsQuery, newestCalculation, saveCalculation } from './calculations.queries.ts';
import { definitionOf } from './definition.ts';
import { IntervalField, TargetFields } from './target-fields.tsx';
import { Trial } from './trial.tsx';

/** What a calculation is: for what, how often, and its formulas; tried before it is saved. */
export function DefinitionPage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { calculation: id } = useParams({ strict: false }) as { calculation: string };
  const { data, error, refetch } = useQuery(calculationsQuery(wg));
  const found = data?.find(({ _id }) => _id === id);
  const back = (
    <Group gap="md">
      <Anchor component={Link} to="/admin/data/calculations" size="sm">
        {t('calculations.title')}
      </Anchor>
      {found ? (
        <Link to="/kpis/calculation/$calculationId" params={{ calculationId: id }}>
          {t('calculations.results')}
        </Link>
      ) : null}
    </Group>
  );
  return (
    <Page title={found?.name ?? t('calculations.one')} context={back}>
      {error ? (
        <ErrorState title={t('calculations.failed')} error={error} onRetry={() => void refetch()} />
      ) : null}
      {data || error ? null : <Skeleton height={240} />}
      {data && !found ? <EmptyState title={t('calculations.gone')} /> : null}
      {found ? <Opened key={found._id} wg={wg} calculation={found} /> : null}
    </Page>
  );
}

function Opened({ wg, calculation }: { wg: string; calculation: Calculation }) {
  const { opened, round, reopen } = useOpened(calculation);
  return <DefinitionForm key={round} wg={wg} calculation={opened} onOpen={reopen} />;
}

interface DefinitionFormProps {
  wg: string;
  /** As the editor found it. */
  calculation: Calculation;
  /** Begins anew with what stands now. */
  onOpen: (calculation: Calculation) => void;
}

export function DefinitionForm({ wg, calculation, onOpen }: DefinitionFormProps) {
  const { t } = useTranslation();
  const [facts, setFacts] = useState<Omit<NewCalculation, 'values'>>(() => definitionOf(calculation));
  const [lines, setLines] = useState<readonly Line[]>(() => linesOf(calculation.values));
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [tried, setTried] = useState<NewCalculation | null>(null);
  const change = (part: Partial<NewCalculation>) => setFacts({ ...facts, ...part });

  /** What is written, or null where the schema refuses it. */
  const written = (): NewCalculation | null => {
    const { data, error } = newCalculation.safeParse({ ...facts, values: valuesOf(lines) });
    setFaults(faultsIn(error?.issues ?? []));
    return data ?? null;
  };
  const over = useSaveOver<NewCalculation, Calculation>({
    opened: calculation,
    contentOf: (one) => definitionOf(one),
    send: (content, version) => saveCalculation(wg, { id: calculation._id, version }, content),
    newest: () => newestCalculation(wg, calculation._id),
    savedBy: () => lastSavedBy(wg, 'calculation', calculation._id),
    onTheirs: onOpen,
  });
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    const wanted = written();
    if (!wanted) return;
    try {
      const saved = await over.save(wanted);
      if (!saved) return;
      notifyDone(t('calculations.saved', { name: saved.name }));
      onOpen(saved);
    } catch (error) {
      const issues = error instanceof ApiError ? error.issues : [];
      if (issues.length === 0) throw error;
      setFaults(faultsIn(issues.map(({ path, message }) => ({ path: path.split('.'), message }))));
    }
  });
  return (
    <form noValidate onSubmit={handleSubmit} className={classes.page}>
      {over.dialog}
      <Section
        title={t('calculations.definition')}
        context={t('calculations.definitionHelp')}
        actions={
          <Group gap="xs">
            <VersionsButton
              kind="calculation"
              id={calculation._id}
              name={calculation.name}
              mayRestore
              onRestored={async () => onOpen(await newestCalculation(wg, calculation._id))}
            />
            <Button size="xs" variant="default" onClick={() => setTried(written())}>
              {t('kpis.try')}
            </Button>
            <Button type="submit" size="xs" loading={isWorking}>
              {t('actions.save')}
            </Button>
          </Group>
        }
      >
        <div className={classes.facts}>
          <TextInput
            label={t('calculations.name')}
            value={facts.name}
            error={faults.name}
            maxLength={120}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <IntervalField interval={facts.interval} onChange={(interval) => change({ interval })} />
          <TargetFields
            wg={wg}
            target={facts.target}
            error={faults.target}
            onChange={(target) => target && change({ target })}
          />
          <TextInput
            label={t('calculations.table')}
            description={t('calculations.tableHelp')}
            value={facts.table}
            error={faults.table}
            onChange={(event) => change({ table: event.currentTarget.value })}
          />
          <Textarea
            label={t('kpis.description')}
            autosize
            value={facts.description}
            error={faults.description}
            onChange={(event) => change({ description: event.currentTarget.value })}
          />
        </div>
        <Switch
          mt="md"
          label={t('calculations.active')}
          description={t('calculations.activeHelp')}
          checked={facts.isActive}
          onChange={(event) => change({ isActive: event.currentTarget.checked })}
        />
        <Failure text={failure ?? faults.values ?? null} />
        <ValueLines lines={lines} faults={faults} onChange={setLines} />
      </Section>
      {tried ? <Trial wg={wg} calculation={tried} /> : null}
      <Backfill wg={wg} calculation={calculation} />
    </form>
  );
}
