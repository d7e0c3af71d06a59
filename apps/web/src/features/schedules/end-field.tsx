import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { MomentField } from './moment-field.tsx';
import classes from './schedules.module.css';
import type { Draft } from './use-draft.ts';
import { utcText } from './when-text.ts';

interface EndFieldProps {
  draft: Draft;
  zone: string;
  isReadOnly: boolean;
  isEarly: boolean;
}

const HOUR = 3_600_000;

/** When nothing holds any more. */
export function EndField({ draft, zone, isReadOnly, isEarly }: EndFieldProps) {
  const { t } = useTranslation();
  const { end, steps } = draft;
  const first = () => Math.max(Date.now(), ...steps.map(({ at }) => at)) + HOUR;
  return (
    <div className={classes.endField}>
      <Switch
        label={t('schedules.endsByItself')}
        description={t(end === null ? 'schedules.endsNever' : 'schedules.endsText')}
        checked={end !== null}
        disabled={isReadOnly}
        onChange={(event) =>
          draft.setEnd(event.currentTarget.checked ? Math.ceil(first() / HOUR) * HOUR : null)
        }
      />
      {end === null ? null : (
        <div>
          <MomentField
            at={end}
            zone={zone}
            isReadOnly={isReadOnly}
            labels={{ date: t('schedules.date'), time: t('schedules.time') }}
            fault={isEarly ? t('schedules.earlyEnd') : null}
            onChange={draft.setEnd}
          />
          <p className={classes.note}>{utcText(end)}</p>
        </div>
      )}
    </div>
  );
}
