import type { ReportRow } from '@albedo/contract/energy/energy.schema';
import { Button, NumberInput, Radio, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatValue } from '../../ui/units/units.ts';
import { dayText } from './day-range.ts';
import classes from './energy.module.css';
import { daysQuery, reviewDay } from './energy.queries.ts';
import { sourceScope } from './report-address.ts';

const DECISIONS = ['accept', 'override', 'exclude'] as const;
type Decision = (typeof DECISIONS)[number];

/** Decides of a day of a source: it is right as it is, has another value, or is left out. What was computed stays. */
export function ReviewDialog({ wg, row, onClose }: { wg: string; row: ReportRow; onClose: () => void }) {
  const { t } = useTranslation();
  const { deviceId, table, source, day } = row as { [Key in keyof ReportRow]: NonNullable<ReportRow[Key]> };
  const scope = sourceScope({ deviceId, table, source });
  const { data } = useQuery(daysQuery(wg, { from: day, to: day, scope }));
  const kept = data?.find((one) => one.day === day && one.source === source && one.table === table);
  const [decision, setDecision] = useState<Decision | null>(null);
  const [energyKWh, setEnergy] = useState<number | string>('');
  const [reason, setReason] = useState<string | null>(null);
  const chosen = decision ?? kept?.review?.decision ?? 'accept';
  const words = reason ?? kept?.review?.reason ?? '';
  const value = energyKWh === '' ? (kept?.review?.energyKWh ?? '') : energyKWh;
  const place = { deviceId, table, source, day };
  const save = useSubmit(async () => {
    const own = chosen === 'override' ? { energyKWh: Number(value) } : {};
    await reviewDay(wg, { ...place, decision: chosen, ...own, reason: words });
    notifyDone(t('energy.reviewed', { day: dayText(day) }));
    onClose();
  });
  const takeBack = useSubmit(async () => {
    await reviewDay(wg, { ...place, decision: null });
    notifyDone(t('energy.reviewTakenBack', { day: dayText(day) }));
    onClose();
  });
  const lacks = (chosen === 'override' && value === '') || words.trim() === '';
  return (
    <FormDialog
      title={t('energy.reviewTitle', { name: row.name, day: dayText(day) })}
      isWorking={save.isWorking}
      isDisabled={lacks}
      failure={save.failure ?? takeBack.failure}
      onSubmit={save.handleSubmit}
      onClose={onClose}
      aside={
        kept?.review ? (
          <Button variant="subtle" loading={takeBack.isWorking} onClick={takeBack.handleSubmit}>
            {t('energy.takeBack')}
          </Button>
        ) : null
      }
    >
      {kept ? (
        <dl className={classes.facts}>
          <dt>{t('energy.computedValue')}</dt>
          <dd>{formatValue(kept.energyKWh, 'kWh')}</dd>
          <dt>{t('energy.columns.expected')}</dt>
          <dd>{formatValue(kept.expectedKWh, 'kWh')}</dd>
          <dt>{t('energy.method')}</dt>
          <dd>{t(`energy.methods.${kept.method}`)}</dd>
          <dt>{t('energy.coverage')}</dt>
          <dd>
            {t('energy.coverageOf', { share: formatValue(kept.coverage * 100, '%'), count: kept.samples })}
          </dd>
        </dl>
      ) : null}
      {kept?.review ? (
        <Text size="sm" c="dimmed">
          {t('energy.reviewedBy', {
            by: kept.review.by,
            at: formatInstant(kept.review.at, userZone(), false),
          })}
        </Text>
      ) : null}
      <Radio.Group
        label={t('energy.decision')}
        value={chosen}
        onChange={(next) => setDecision(next as Decision)}
      >
        <Stack gap="xs" mt="xs">
          {DECISIONS.map((one) => (
            <Radio
              key={one}
              value={one}
              label={t(`energy.decisions.${one}`)}
              description={t(`energy.decisionTexts.${one}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      {chosen === 'override' ? (
        <NumberInput label={t('energy.newValue')} suffix=" kWh" min={0} value={value} onChange={setEnergy} />
      ) : null}
      <Textarea
        label={t('energy.reason')}
        description={t('energy.reasonHelp')}
        autosize
        maxLength={500}
        value={words}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
