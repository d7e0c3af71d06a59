import { type DataTable, newRetention } from '@albedo/contract/data-tables/data-tables.schema';
import { Button, Group, NumberInput, Stack, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useIsOwner } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { useWorkgroupSettings } from '../workgroups/workgroups.queries.ts';
import { setDefaultRetention, setRetention } from './data-tables.queries.ts';
import { RetentionPreview } from './retention-preview.tsx';
import { retentionText } from './retention-text.ts';

/** Five years: warranties and bank reports rarely look further back. */
const SUGGESTED_DAYS = 1826;

/** How long a table keeps its events. */
export function RetentionForm({ table, isReadOnly }: { table: DataTable; isReadOnly: boolean }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  return (
    <Section title={t('dataTables.retention')} context={isReadOnly ? t('dataTables.ownersOnly') : null}>
      <DaysForm
        kept={table.retentionDays}
        isReadOnly={isReadOnly}
        table={table.table}
        onSave={(days) => setRetention(wg, table.table, days)}
      />
    </Section>
  );
}

/** How long the workgroup keeps events of tables without a retention of their own. */
export function DefaultRetention() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const isReadOnly = !useIsOwner();
  const settings = useWorkgroupSettings();
  const kept = (settings.retention as { days: number | null } | undefined)?.days ?? null;
  return (
    <Section
      title={t('dataTables.retentionOfAll')}
      context={isReadOnly ? t('dataTables.ownersOnly') : t('dataTables.retentionOfAllText')}
    >
      <DaysForm
        key={kept}
        kept={kept}
        isReadOnly={isReadOnly}
        onSave={(days) => setDefaultRetention(wg, days)}
      />
    </Section>
  );
}

interface DaysFormProps {
  kept: number | null;
  isReadOnly: boolean;
  /** One table, or all without a retention of their own. */
  table?: string;
  onSave: (days: number | null) => Promise<void>;
}

function DaysForm({ kept, isReadOnly, table, onSave }: DaysFormProps) {
  const { t } = useTranslation();
  const { values, set, field, dialog } = useContractForm({
    schema: newRetention,
    initial: { retentionDays: kept },
    send: async ({ retentionDays }) => {
      await onSave(retentionDays);
      notifyDone(t('dataTables.retentionSaved', { text: retentionText(t, { retentionDays }) }));
    },
  });
  const isChanged = values.retentionDays !== kept;
  return (
    <form noValidate onSubmit={dialog.onSubmit}>
      <Stack gap="sm">
        <Switch
          label={t('dataTables.limit')}
          checked={values.retentionDays !== null}
          disabled={isReadOnly}
          onChange={({ currentTarget }) =>
            set({ retentionDays: currentTarget.checked ? (kept ?? SUGGESTED_DAYS) : null })
          }
        />
        {values.retentionDays === null ? null : (
          <NumberInput
            {...field('retentionDays')}
            value={values.retentionDays}
            onChange={(days) => set({ retentionDays: Number(days) })}
            label={t('dataTables.keptDays')}
            description={t('dataTables.keptHelp')}
            disabled={isReadOnly}
            min={1}
            max={36_500}
            maw={240}
          />
        )}
        {isChanged && !isReadOnly ? (
          <RetentionPreview days={values.retentionDays} {...(table === undefined ? {} : { table })} />
        ) : null}
        <Failure text={dialog.failure} />
        {isReadOnly ? null : (
          <Group>
            <Button type="submit" loading={dialog.isWorking} disabled={!isChanged}>
              {t('actions.save')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
