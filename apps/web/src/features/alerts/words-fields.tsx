import { Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './alerts.module.css';
import type { AlertForm } from './fields.ts';

const WORDS = ['response', 'cause', 'consequence'] as const;

/** What somebody reads who answers it. */
export function WordsFields({ form }: { form: AlertForm }) {
  const { t } = useTranslation();
  const { values, set, faultOf } = form;
  return (
    <div className={classes.fields}>
      {WORDS.map((name) => (
        <Textarea
          key={name}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={4000}
          label={t(`alerts.${name}`)}
          placeholder={t(`alerts.${name}Example`)}
          value={values[name]}
          error={faultOf(name)}
          onChange={(event) => set({ [name]: event.currentTarget.value })}
        />
      ))}
    </div>
  );
}
