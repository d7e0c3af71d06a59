import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import type { Formula } from '@albedo/contract/formulae/formulae.schema';
import { ActionIcon, Button, Checkbox } from '@mantine/core';
import { IconMathFunction, IconPencil } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MOST_LINES } from './analysis-address.ts';
import { type AnalysisLine, isFormula, type StreamLine } from './analysis-lines.ts';
import classes from './formula-list.module.css';

// The language of formulas is loaded when somebody writes one.
const FormulaDialog = lazy(async () => ({ default: (await import('./formula-dialog.tsx')).FormulaDialog }));

interface FormulaListProps {
  formulas: readonly Formula[];
  lines: readonly AnalysisLine[];
  /** The streams that are ticked, which a new formula begins with. */
  streams: readonly StreamLine[];
  devices: readonly DeviceSummary[];
  onChange: (lines: AnalysisLine[]) => void;
}

/** Formulas to tick like fields, and a button for a new one over the fields that are ticked. */
export function FormulaList(props: FormulaListProps) {
  const { formulas, lines, streams, devices, onChange } = props;
  const { t } = useTranslation();
  const [edited, setEdited] = useState<Formula | 'new' | null>(null);
  const chosen = new Set(lines.filter(isFormula).map(({ formula }) => formula));
  const without = (formula: string) => lines.filter((line) => !isFormula(line) || line.formula !== formula);
  const toggle = (formula: string) =>
    onChange(chosen.has(formula) ? without(formula) : [...lines, { formula }]);
  return (
    <section className={classes.formulas} aria-label={t('analysis.formulas.title')}>
      <div className={classes.head}>
        <h2 className={classes.title}>{t('analysis.formulas.title')}</h2>
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconMathFunction size={14} />}
          onClick={() => setEdited('new')}
        >
          {t('analysis.formulas.new')}
        </Button>
      </div>
      {formulas.map((formula) => (
        <div key={formula._id} className={classes.formula}>
          <Checkbox
            size="xs"
            label={
              <>
                {formula.title} <span className={classes.units}>{formula.resultUnit}</span>
              </>
            }
            checked={chosen.has(formula._id)}
            disabled={lines.length >= MOST_LINES && !chosen.has(formula._id)}
            onChange={() => toggle(formula._id)}
          />
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={t('analysis.formulas.edit', { title: formula.title })}
            onClick={() => setEdited(formula)}
          >
            <IconPencil size={14} />
          </ActionIcon>
        </div>
      ))}
      {edited === null ? null : (
        <Suspense>
          <FormulaDialog
            formula={edited === 'new' ? null : edited}
            streams={streams}
            devices={devices}
            onClose={() => setEdited(null)}
            onSaved={(formula) => {
              if (!chosen.has(formula)) onChange([...lines, { formula }]);
            }}
            onRemoved={(formula) => onChange(without(formula))}
          />
        </Suspense>
      )}
    </section>
  );
}
