import { type Kpi, type NewKpi, newKpi } from '@albedo/contract/kpis/kpis.schema';
import { Button, Group, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../app/call.ts';
import type { Line } from '../../app/figures/value-fields.tsx';
import { faultsIn, linesOf, ValueLines, valuesOf } from '../../app/figures/value-lines.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { lastSavedBy } from '../../app/versions/newest.ts';
import { useSaveOver } from '../../app/versions/use-save-over.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './kpis.module.css';
import { newestKpi, saveKpi } from './kpis.queries.ts';

interface KpiFormProps {
  wg: string;
  /** As the editor found it. */
  kpi: Kpi;
  /** Begins anew with what stands now. */
  onOpen: (kpi: Kpi) => void;
  /** Shows what the definition would give, without saving it. */
  onTry: (kpi: NewKpi) => void;
}

/** The definition of a KPI. */
export function KpiForm({ wg, kpi, onOpen, onTry }: KpiFormProps) {
  const { t } = useTranslation();
  const [facts, setFacts] = useState({ name: kpi.name, description: kpi.description });
  const [lines, setLines] = useState<readonly Line[]>(() => linesOf(kpi.values));
  const [faults, setFaults] = useState<Record<string, string>>({});

  /** What is written, or null where the schema refuses it. */
  const written = (): NewKpi | null => {
    setFaults({});
    const wanted = { ...facts, values: valuesOf(lines) };
    const { data, error } = newKpi.safeParse(wanted);
    if (data) return data;
    setFaults(faultsIn(error?.issues ?? []));
    return null;
  };
  const over = useSaveOver<NewKpi, Kpi>({
    opened: kpi,
    contentOf: definitionOf,
    send: (content, version) => saveKpi(wg, { id: kpi._id, version }, content),
    newest: () => newestKpi(wg, kpi._id),
    savedBy: () => lastSavedBy(wg, 'kpi', kpi._id),
    onTheirs: onOpen,
  });
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    const wanted = written();
    if (!wanted) return;
    try {
      const saved = await over.save(wanted);
      if (!saved) return;
      notifyDone(t('kpis.saved', { name: saved.name }));
      onOpen(saved);
    } catch (error) {
      const found = error instanceof ApiError ? error.issues : [];
      const ofValues = found.filter(({ path }) => path.startsWith('values.'));
      if (ofValues.length === 0) throw error;
      setFaults(Object.fromEntries(ofValues.map(({ path, message }) => [path.split('.')[1] ?? '', message])));
    }
  });

  return (
    <form noValidate onSubmit={handleSubmit} className={classes.form}>
      <Section
        title={t('kpis.definition')}
        context={t('kpis.definitionHelp')}
        actions={
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                const wanted = written();
                if (wanted) onTry(wanted);
              }}
            >
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
            label={t('kpis.name')}
            value={facts.name}
            error={faults.name}
            maxLength={120}
            onChange={(event) => setFacts({ ...facts, name: event.currentTarget.value })}
          />
          <Textarea
            label={t('kpis.description')}
            autosize
            value={facts.description}
            error={faults.description}
            onChange={(event) => setFacts({ ...facts, description: event.currentTarget.value })}
          />
        </div>
        <Failure text={failure ?? faults.values ?? null} />
        <ValueLines lines={lines} faults={faults} onChange={setLines} />
      </Section>
      {over.dialog}
    </form>
  );
}

const definitionOf = ({ name, description, values }: Kpi): NewKpi => ({
  name,
  description,
  values: values as NewKpi['values'],
});
