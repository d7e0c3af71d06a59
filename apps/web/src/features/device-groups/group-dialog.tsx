import type { DeviceGroup } from '@albedo/contract/device-groups/device-groups.schema';
import { Group, Radio, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { boardsQuery } from '../../app/boards-query.ts';
import { LandingSelect } from '../../app/landing-select.tsx';
import { notifyDone } from '../../app/notify.ts';
import { usePermission } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import classes from './device-groups.module.css';
import { changeGroup, createGroup } from './device-groups.queries.ts';
import { DevicePicker } from './device-picker.tsx';
import { COMPOSITION_TYPES, compositionOf, type Draft, draftOf, isComposed, typedGroup } from './draft.ts';
import { MatchPreview } from './match-preview.tsx';
import { MetaFields } from './meta-fields.tsx';
import { SourceChoice } from './source-choice.tsx';
import { useDefaultPages } from './use-default-pages.ts';

/** Makes a device group, or changes one; changes take effect at once for all its members. */
export function GroupDialog({ group, onClose }: { group?: DeviceGroup; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const mayCoordinate = usePermission('coordinate');
  const { data: boards } = useQuery(boardsQuery(wg));
  const defaults = useDefaultPages();
  const keptPage = (group && defaults.pages[group._id]) ?? '';
  const [page, setPage] = useState(keptPage);
  const {
    values: draft,
    set,
    field,
    faultOf,
    dialog,
  } = useContractForm({
    schema: typedGroup,
    initial: draftOf(group),
    refusals: { 'device_group.name_taken': 'name', 'device_group.foreign_device': 'devices' },
    send: async (wanted) => {
      const id = group ? group._id : (await createGroup(wg, wanted))._id;
      if (group) await changeGroup(wg, id, wanted);
      if (mayCoordinate && page.trim() !== keptPage) await defaults.save(id, page.trim());
      notifyDone(t(group ? 'deviceGroups.changed' : 'deviceGroups.created', { name: wanted.name }));
      onClose();
    },
  });
  const composition = useMemo(() => compositionOf(draft), [draft]);
  const isComplete = isComposed(draft);

  return (
    <FormDialog
      {...dialog}
      failure={dialog.failure ?? faultOf('devices') ?? null}
      title={group ? t('deviceGroups.changeTitle', { name: group.name }) : t('deviceGroups.create')}
      size="xl"
      isDisabled={!isComplete || draft.name.trim() === ''}
      onClose={onClose}
    >
      <TextInput {...field('name')} data-autofocus label={t('deviceGroups.name')} maxLength={80} />
      <Radio.Group
        label={t('deviceGroups.composition')}
        value={draft.type}
        onChange={(type) => set({ type: type as Draft['type'] })}
      >
        <div className={classes.types}>
          {COMPOSITION_TYPES.map((type) => (
            <Radio.Card key={type} value={type} className={classes.type ?? ''}>
              <Group wrap="nowrap" align="flex-start" gap="sm">
                <Radio.Indicator />
                <span>
                  <span className={classes.typeName}>{t(`deviceGroups.types.${keyOf(type)}.name`)}</span>
                  <span className={classes.note}>{t(`deviceGroups.types.${keyOf(type)}.help`)}</span>
                </span>
              </Group>
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
      {draft.type === 'META' ? (
        <MetaFields
          field={draft.field}
          operator={draft.operator}
          value={draft.value}
          faults={{ field: faultOf('field'), value: faultOf('value') }}
          onChange={set}
        />
      ) : (
        <DevicePicker
          label={t(draft.type === 'NOT IN' ? 'deviceGroups.without' : 'deviceGroups.devices')}
          chosen={draft.devices}
          onChange={(devices) => set({ devices })}
          {...(draft.type === 'SRC'
            ? {
                detail: (device) => (
                  <SourceChoice
                    device={device}
                    sources={draft.sources.get(device.id) ?? null}
                    onChange={(sources) => set({ sources: withSources(draft, device.id, sources) })}
                  />
                ),
              }
            : {})}
        />
      )}
      <MatchPreview composition={isComplete ? composition : null} />
      {mayCoordinate ? (
        <LandingSelect
          label={t('deviceGroups.defaultPage')}
          description={t('deviceGroups.defaultPageHelp')}
          boards={boards}
          value={page}
          onChange={setPage}
        />
      ) : null}
    </FormDialog>
  );
}

const keyOf = (type: Draft['type']): string =>
  ({ IN: 'in', 'NOT IN': 'notIn', META: 'meta', SRC: 'src' })[type];

function withSources({ sources }: Draft, device: string, some: readonly string[] | null): Draft['sources'] {
  const next = new Map(sources);
  if (some === null) next.delete(device);
  else next.set(device, some);
  return next;
}
