import type { InfoLevel } from '@albedo/contract/metadata/metadata.schema';
import { Button } from '@mantine/core';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { entityWorldQuery } from '../../app/entity-world-query.ts';
import { notifyFailure } from '../../app/notify.ts';
import { usePermission } from '../../app/permissions.ts';
import { queryClient } from '../../app/query-client.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useWork } from '../../app/use-submit.ts';
import { saveFile } from '../../ui/data-table/csv.ts';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { FileDialog } from './file-dialog.tsx';
import classes from './metadata.module.css';
import { fetchRows } from './metadata.queries.ts';
import { fileOf, type NamedSource } from './metadata-file.ts';

/** Takes the metadata of a level out as a file, and a file in. */
export function FileActions({ level, keys }: { level: InfoLevel; keys: readonly string[] }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const mayManage = usePermission('manageDevices');
  const [isOpen, setOpen] = useState(false);
  const { isWorking, work } = useWork((error) => notifyFailure(t('metadata.notDownloaded'), error));
  const download = () =>
    work(async () => {
      const rows = await fetchRows(wg, level);
      const sources = level === 'source' ? await sourcesOf(wg) : [];
      saveFile(`${t(`metadata.${level}.fileName`)}.csv`, fileOf(level, rows, { keys, sources }));
    });
  return (
    <div className={classes.offers}>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconDownload size={14} />}
        loading={isWorking}
        onClick={() => void download()}
      >
        {t('metadata.download')}
      </Button>
      {mayManage ? (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconUpload size={14} />}
          onClick={() => setOpen(true)}
        >
          {t('metadata.upload')}
        </Button>
      ) : null}
      {isOpen ? <FileDialog level={level} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}

/** The sources of all devices; what calculations write has no metadata. */
async function sourcesOf(wg: string): Promise<NamedSource[]> {
  const [devices, { sources }] = await Promise.all([
    queryClient.ensureQueryData(deviceListQuery(wg)),
    queryClient.ensureQueryData(entityWorldQuery(wg)),
  ]);
  const names = new Map(devices.map(({ id, name }) => [id, name]));
  const all = new Map<string, NamedSource>();
  for (const { deviceId: id, source } of sources) {
    const name = names.get(id);
    if (name !== undefined && source !== '') all.set(`${id} ${source}`, { id, name, source });
  }
  return [...all.values()];
}
