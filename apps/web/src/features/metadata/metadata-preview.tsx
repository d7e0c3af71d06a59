import { infoKeys, infoOf, shownInfo, sourceInfosOf } from '@albedo/contract/metadata/metadata.schema';
import { Anchor, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { InfoList } from '../../app/info/info-list.tsx';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { deviceListQuery, deviceQuery } from '../devices/devices.queries.ts';
import { useWorkgroupSettings } from '../workgroups/workgroups.queries.ts';
import classes from './metadata.module.css';

/** The choice as the page of a device shows it, with what is said of that device. */
export function MetadataPreview() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [chosen, setChosen] = useState<string | null>(null);
  const { data: devices } = useQuery(deviceListQuery(wg));
  const id = chosen ?? devices?.[0]?.id;
  return (
    <Section title={t('metadata.preview')} context={t('metadata.previewContext')}>
      {id === undefined ? (
        devices ? (
          <EmptyState title={t('metadata.noDevices')} />
        ) : (
          <TableSkeleton rows={3} />
        )
      ) : (
        <div className={classes.preview}>
          <Select
            aria-label={t('metadata.previewDevice')}
            data={(devices ?? []).map((one) => ({ value: one.id, label: one.name }))}
            value={id}
            searchable
            allowDeselect={false}
            onChange={setChosen}
          />
          <OfDevice key={id} wg={wg} id={id} />
        </div>
      )}
    </Section>
  );
}

function OfDevice({ wg, id }: { wg: string; id: string }) {
  const { t } = useTranslation();
  const settings = useWorkgroupSettings();
  const { data: device, error, refetch } = useQuery(deviceQuery(wg, id));
  if (error) return <ErrorState title={t('metadata.failed')} error={error} onRetry={() => void refetch()} />;
  if (!device) return <TableSkeleton rows={3} />;
  const ofDevice = infoOf(device.settings.info);
  const [keys, sourceKeys] = [infoKeys(settings, 'device'), infoKeys(settings, 'source')];
  const sources = Object.entries(sourceInfosOf(device.settings.sourceInfo));
  const isEmpty = shownInfo(ofDevice, keys).shown.length === 0;
  return (
    <>
      <div>
        <h3>{t('device.info.title')}</h3>
        {isEmpty ? (
          <p className={classes.help}>{t('metadata.nothingSaid')}</p>
        ) : (
          <InfoList info={ofDevice} keys={keys} />
        )}
      </div>
      {sources.slice(0, 3).map(([source, info]) => (
        <div key={source}>
          <h3>{source}</h3>
          <InfoList info={info} keys={sourceKeys} />
        </div>
      ))}
      {sources.length === 0 ? <p className={classes.help}>{t('metadata.noSourceSaid')}</p> : null}
      <Anchor component={Link} to={`/devices/${id}/general`} size="sm">
        {t('metadata.toDevice', { name: device.name })}
      </Anchor>
    </>
  );
}
