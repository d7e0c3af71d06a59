import type { AlertKind } from '@albedo/contract/alerts/alerts.schema';
import { Radio } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { KINDS, withKind } from './alert-draft.ts';
import classes from './alerts.module.css';
import type { AlertForm } from './fields.ts';

/** What kind of thing the alert watches for; its other fields follow from it. */
export function KindField({ form }: { form: AlertForm }) {
  const { t } = useTranslation();
  const { values, set } = form;
  return (
    <Radio.Group
      label={t('alerts.kind')}
      value={values.kind}
      onChange={(kind) => set(withKind(kind as AlertKind, values))}
    >
      <div className={classes.kinds}>
        {KINDS.map((kind) => (
          <Radio.Card key={kind} value={kind} className={classes.kind ?? ''}>
            <Radio.Indicator size="xs" />
            <span>
              {t(`alerts.kinds.${kind}`)}
              <small>{t(`alerts.kindHelp.${kind}`)}</small>
            </span>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}
