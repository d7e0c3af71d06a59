import type { Device } from '@albedo/contract/devices/devices.schema';
import { type Info, infoKeys, shownInfo, sourceInfosOf } from '@albedo/contract/metadata/metadata.schema';
import { ActionIcon, Button, Select, Text } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { confirmText } from '../../app/confirm-text.ts';
import { InfoForm } from '../../app/info/info-form.tsx';
import { InfoList } from '../../app/info/info-list.tsx';
import { notifyDone } from '../../app/notify.ts';
import { usePermission } from '../../app/permissions.ts';
import { ownSources } from '../../app/series/source-groups.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { latestQuery } from '../devices/devices.queries.ts';
import { useWorkgroupSettings } from '../workgroups/workgroups.queries.ts';
import classes from './metadata.module.css';
import { saveSourceInfo } from './metadata.queries.ts';

const USUAL_NAMES = ['kWp', 'Manufacturer', 'Model', 'Serial number', 'Installed', 'Notes'];

/** What people say of the sources of a device, one source at a time. */
export function SourceInfoCard({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const mayManage = usePermission('manageDevices');
  const { data: latest } = useQuery(latestQuery(wg, device.id));
  const keys = infoKeys(useWorkgroupSettings(), 'source');
  const [chosen, setChosen] = useState<string | null>(null);
  /** The info when the form opened; null while it is closed. */
  const [edited, setEdited] = useState<Info | null>(null);
  const [isRemoving, setRemoving] = useState(false);
  const infos = sourceInfosOf(device.settings.sourceInfo);
  const described = Object.keys(infos);
  const others = ownSources(latest).map((one) => one.source);
  const names = [...new Set([...described, ...others])].filter((name) => name !== '');
  if (names.length === 0 || (!mayManage && described.length === 0)) return null;
  const source = chosen !== null && names.includes(chosen) ? chosen : (names[0] as string);
  const info = (Object.hasOwn(infos, source) && infos[source]) || {};
  const { shown, others: further } = shownInfo(info, keys);
  const isEmpty = Object.keys(info).length === 0;
  const actions = mayManage && edited === null && (
    <>
      {isEmpty ? null : (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('metadata.source.removeOf', { name: source })}
          onClick={() => setRemoving(true)}
        >
          <IconTrash size={16} />
        </ActionIcon>
      )}
      <Button
        variant="subtle"
        size="xs"
        leftSection={<IconPencil size={14} />}
        onClick={() => setEdited(info)}
      >
        {t('device.info.edit')}
      </Button>
    </>
  );
  return (
    <Section title={t('metadata.source.title')} actions={actions}>
      <div className={classes.source}>
        <Select
          size="sm"
          aria-label={t('metadata.source.choose')}
          data={names}
          value={source}
          searchable={names.length > 8}
          allowDeselect={false}
          disabled={edited !== null}
          onChange={setChosen}
        />
        {edited !== null ? (
          <InfoForm
            key={source}
            entries={[...shown, ...further]}
            names={[...keys, ...USUAL_NAMES.filter((name) => !keys.includes(name))]}
            onSave={async (info) => {
              await saveSourceInfo(wg, device.id, { source, info, over: edited });
              notifyDone(t('metadata.source.saved', { name: source }));
            }}
            onClose={() => setEdited(null)}
          />
        ) : isEmpty && keys.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('metadata.source.empty')}
          </Text>
        ) : (
          <InfoList key={source} info={info} keys={keys} />
        )}
      </div>
      {isRemoving ? (
        <ConfirmDialog
          confirm={confirmText(t('metadata.source.remove'), source)}
          onConfirm={async () => {
            await saveSourceInfo(wg, device.id, { source, info: {} });
            notifyDone(t('metadata.source.removed', { name: source }));
          }}
          onClose={() => setRemoving(false)}
        >
          {t('metadata.source.removeText', { name: source, count: Object.keys(info).length })}
        </ConfirmDialog>
      ) : null}
    </Section>
  );
}
