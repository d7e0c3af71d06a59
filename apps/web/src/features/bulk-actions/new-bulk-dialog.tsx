import { type BulkPreview, type BulkWork, bulkPlan } from '@albedo/contract/bulk-actions/bulk-actions.schema';
import { Button, Checkbox, Group, Modal, MultiSelect, NumberInput, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRights } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { order } from './bulk-actions.queries.ts';
import { needsNothing, PreviewTable } from './preview-table.tsx';
import { draftOf, isComplete, type WorkDraft, WorkFields, workOf } from './work-fields.tsx';

interface NewBulkDialogProps {
  onBegun: (id: string) => void;
  onClose: () => void;
}

/** Permission that each kind takes. */
const KINDS = [
  ['upgrade', 'controlDevices'],
  ['command', 'commands'],
  ['config', 'controlDevices'],
  ['labels', 'manageDevices'],
  ['groups', 'manageAccess'],
  ['plugins', 'controlDevices'],
  ['certificates', 'manageDevices'],
] as const;

/** Waves of a rollout, as they are offered for what restarts agents. */
const CAREFUL = { firstWave: 1, waveSize: 25, soakMinutes: 30 };

/** What to do, to which devices, and how carefully; a dry run says what would change. */
export function NewBulkDialog({ onBegun, onClose }: NewBulkDialogProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const may = useRights();
  const { data: all = [], isPending } = useQuery(deviceListQuery(wg));
  const [draft, setDraft] = useState<WorkDraft>(draftOf('upgrade'));
  const [devices, setDevices] = useState<string[]>([]);
  const [plan, setPlan] = useState({ ...bulkPlan.parse({}), ...CAREFUL });
  const [isWatched, setWatched] = useState(true);
  const [preview, setPreview] = useState<BulkPreview[] | null>(null);
  const forget = () => setPreview(null);
  const isReady = devices.length > 0 && isComplete(draft);
  const isNothingToDo = preview?.every(needsNothing) ?? false;
  const send = async (isDryRun: boolean) => {
    const work: BulkWork = workOf(draft);
    const waves = { ...plan, gates: isWatched ? {} : null };
    const { action, preview: rows } = await order(wg, work, { devices, plan: waves, isDryRun });
    if (isDryRun) return setPreview(rows);
    if (action) onBegun(action._id);
    onClose();
  };
  const { isWorking, failure, handleSubmit } = useSubmit(() => send(false));
  const trial = useSubmit(() => send(true));
  const number = (name: 'firstWave' | 'waveSize' | 'soakMinutes' | 'queueHours', min: number) => (
    <NumberInput
      label={t(`bulkActions.plan.${name}`)}
      min={min}
      value={plan[name]}
      onChange={(value) => setPlan({ ...plan, [name]: Number(value) })}
    />
  );
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('bulkActions.new')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form onSubmit={handleSubmit} noValidate>
        <Stack gap="sm">
          <Select
            label={t('bulkActions.columns.what')}
            data={KINDS.filter(([, right]) => may(right)).map(([kind]) => ({
              value: kind,
              label: t(`bulkActions.kinds.${kind}`),
            }))}
            value={draft.kind}
            allowDeselect={false}
            onChange={(kind) => {
              setDraft(draftOf(kind as BulkWork['kind']));
              forget();
            }}
          />
          <WorkFields
            draft={draft}
            onChange={(next) => {
              setDraft(next);
              forget();
            }}
          />
          <MultiSelect
            label={t('bulkActions.devices')}
            data={all.map(({ id, name }) => ({ value: id, label: name }))}
            value={devices}
            searchable
            limit={100}
            onChange={(next) => {
              setDevices(next);
              forget();
            }}
          />
          <Group gap="xs">
            <Button
              size="compact-sm"
              variant="default"
              loading={isPending}
              onClick={() => {
                setDevices(all.map(({ id }) => id));
                forget();
              }}
            >
              {t('bulkActions.allDevices', { count: all.length })}
            </Button>
            <Text size="sm" c="dimmed">
              {t('bulkActions.chosen', { count: devices.length })}
            </Text>
          </Group>
          <Group grow align="flex-end">
            {number('firstWave', 1)}
            {number('waveSize', 1)}
          </Group>
          <Group grow align="flex-end">
            {number('soakMinutes', 0)}
            {number('queueHours', 0)}
          </Group>
          <Checkbox
            label={t('bulkActions.plan.watched')}
            description={t('bulkActions.plan.watchedHelp')}
            checked={isWatched}
            onChange={(event) => setWatched(event.currentTarget.checked)}
          />
          {preview ? <PreviewTable rows={preview} devices={all} /> : null}
          {isNothingToDo ? (
            <Text size="sm" role="status">
              {t('bulkActions.preview.nothing')}
            </Text>
          ) : null}
        </Stack>
        <Failure text={failure ?? trial.failure} />
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button
            variant="default"
            loading={trial.isWorking}
            disabled={!isReady}
            onClick={trial.handleSubmit}
          >
            {t('bulkActions.dryRun')}
          </Button>
          <Button type="submit" loading={isWorking} disabled={!isReady || isNothingToDo}>
            {t('bulkActions.begin')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
