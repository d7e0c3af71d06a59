import type { DataTable } from '@albedo/contract/data-tables/data-tables.schema';
import { Switch, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useIsUnbound, usePermission } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { setForecasts } from './data-tables.queries.ts';

/** Whether the values of a table may be of the future. */
export function ForecastsSwitch({ table: { table, holdsForecasts } }: { table: DataTable }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const mayConfigure = usePermission('coordinate');
  const isUnbound = useIsUnbound();
  const { attempt, isWorking, failure } = useAttempt();
  const change = (holds: boolean) =>
    attempt(async () => {
      await setForecasts(wg, table, holds);
      notifyDone(t(holds ? 'dataTables.forecasts.on' : 'dataTables.forecasts.off', { name: table }));
    });
  return (
    <Section title={t('dataTables.forecasts.title')}>
      <Switch
        label={t('dataTables.forecasts.switch')}
        description={t('dataTables.forecasts.text')}
        checked={holdsForecasts}
        disabled={!mayConfigure || !isUnbound || isWorking}
        onChange={({ currentTarget }) => void change(currentTarget.checked)}
      />
      <Text size="sm" c="dimmed" mt="xs">
        {t('dataTables.forecasts.clock')}
      </Text>
      <Failure text={failure} />
    </Section>
  );
}
