import type { EntityLabel } from '@albedo/contract/entities/labels';
import { Checkbox, TextInput } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSubmit } from '../../app/use-submit.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import classes from './labelling.module.css';
import { keyOf, type LabellingView, matching, sourceAfter, withLabel } from './labelling-draft.ts';

/** Sources that are listed; a pattern finds the others. */
const LISTED = 200;

/** Puts a label on the sources that two patterns find; ticks say on which of them. */
export function ApplyDialog({
  label,
  sources,
  kept,
  draft,
  change,
  onClose,
}: LabellingView & { label: EntityLabel; onClose: () => void }) {
  const { t } = useTranslation();
  const [patterns, setPatterns] = useState({ device: '', source: '' });
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set());
  const wanted = useDeferredValue(patterns);
  const found = useMemo(
    () => matching(sources, wanted).filter((of) => !sourceAfter(kept, draft, of).labels.includes(label.id)),
    [sources, wanted, kept, draft, label.id],
  );
  const ticked = found.filter((of) => !without.has(keyOf(of)));
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    change(withLabel(kept, draft, ticked, { label: label.id, isOn: true }));
    onClose();
  });
  const tick = (keys: readonly string[], isOn: boolean) => {
    const next = new Set(without);
    for (const key of keys) {
      if (isOn) next.delete(key);
      else next.add(key);
    }
    setWithout(next);
  };
  return (
    <FormDialog
      title={t('labelling.applyOf', { name: label.name })}
      submit={t('labelling.take')}
      size="lg"
      isWorking={isWorking}
      isDisabled={ticked.length === 0}
      failure={failure}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <div className={classes.patterns}>
        {(['device', 'source'] as const).map((part) => (
          <TextInput
            key={part}
            {...(part === 'device' ? { 'data-autofocus': true } : {})}
            label={t(`labelling.pattern.${part}`)}
            placeholder="*"
            value={patterns[part]}
            maxLength={200}
            onChange={(event) => setPatterns({ ...patterns, [part]: event.currentTarget.value })}
          />
        ))}
      </div>
      <p className={classes.note}>{t('labelling.patternHelp')}</p>
      {found.length === 0 ? (
        <p className={classes.note} role="status">
          {t('labelling.nothingFound')}
        </p>
      ) : (
        <>
          <Checkbox
            label={t('labelling.ticked', { count: ticked.length, all: found.length })}
            checked={ticked.length === found.length}
            indeterminate={ticked.length > 0 && ticked.length < found.length}
            onChange={(event) => tick(found.map(keyOf), event.currentTarget.checked)}
          />
          <ul className={classes.found}>
            {found.slice(0, LISTED).map((of) => (
              <li key={keyOf(of)}>
                <Checkbox
                  label={`${of.name} · ${of.source}`}
                  checked={!without.has(keyOf(of))}
                  onChange={(event) => tick([keyOf(of)], event.currentTarget.checked)}
                />
              </li>
            ))}
          </ul>
          {found.length > LISTED ? (
            <p className={classes.note}>{t('labelling.more', { count: found.length - LISTED })}</p>
          ) : null}
        </>
      )}
    </FormDialog>
  );
}
