import { type DataTable, newRetention } from '@albedo/contract/data-tables/data-tables.schema';
import { Button, Group, NumberInput, Stack, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { setRetention } from './data-tables.queries.ts';
import { retentionText } from './retention-text.ts';

/** Five years: warranties and bank reports rarely look further back. */
const SUGGESTED_DAYS = 1826;

/** How long a table keeps its events. */
export function RetentionForm({ table, isReadOnly }: { table: DataTable; isReadOnly: boolean }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { values, set, field, dialog } = useContractForm({
    schema: newRetention,
    initial: { retentionDays: table.retentionDays },
    send: async ({ retentionDays }) => {
      await setRetention(wg, table.table, retentionDays);
      notifyDone(t('dataTables.retentionSaved', { text: retentionText(t, { retentionDays }) }));
    },
  });
  const isLimited = values.retentionDays !== null;
  return (
    <Section title={t('dataTables.retention')} context={isReadOnly ? t('dataTables.ownersOnly') : null}>
      <form noValidate onSubmit={dialog.onSubmit}>
        <Stack gap="sm">
          <Switch
            label={t('dataTables.limit')}
            checked={isLimited}
            disabled={isReadOnly}
            onChange={({ currentTarget }) =>
              set({ retentionDays: currentTarget.checked ? (table.retentionDays ?? SUGGESTED_DAYS) : null })
            }
          />
          {isLimited ? (
            <NumberInput
              {...field('retentionDays')}
              value={values.retentionDays ?? ''}
              onChange={(days) => set({ retentionDays: Number(days) })}
              label={t('dataTables.keptDays')}
              description={t('dataTables.keptHelp')}
              disabled={isReadOnly}
              min={1}
              max={36_500}
              maw={240}
            />
          ) : null}
          <Failure text={dialog.failure} />
          {isReadOnly ? null : (
            <Group>
              <Button
                type="submit"
                loading={dialog.isWorking}
                disabled={values.retentionDays === table.retentionDays}
              >
                {t('actions.save')}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Section>
  );
}
