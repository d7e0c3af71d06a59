import { INFO_KEYS, type InfoLevel, infoKeys } from '@albedo/contract/metadata/metadata.schema';

import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { FormSkeleton } from '../../ui/skeletons.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { setWorkgroupSetting, useWorkgroupSettings } from '../workgroups/workgroups.queries.ts';
import { FieldList } from './field-list.tsx';
import { FileActions } from './file-actions.tsx';
import classes from './metadata.module.css';
import { metadataQuery, renameField, useFollowMetadata } from './metadata.queries.ts';
import { MetadataPreview } from './metadata-preview.tsx';

const LEVELS = ['device', 'source'] as const satisfies InfoLevel[];

/** Which fields of devices and of sources are shown, and in which order. A tab of Admin > Workgroup. */
export function MetadataPage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const settings = useWorkgroupSettings();
  const { data, error, refetch } = useQuery(metadataQuery(wg));
  useFollowMetadata(wg);
  if (error) return <ErrorState title={t('metadata.failed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <FormSkeleton fields={5} />;
  const inUse = { device: data.deviceFields, source: data.sourceFields };
  const total = { device: data.devices, source: data.sources };
  return (
    <div className={classes.page}>
      <div className={classes.lists}>
        {LEVELS.map((level) => (
          <Section
            key={level}
            title={t(`metadata.${level}.fields`)}
            actions={<FileActions level={level} keys={infoKeys(settings, level)} />}
          >
            <FieldList
              level={level}
              saved={infoKeys(settings, level)}
              inUse={inUse[level]}
              total={total[level]}
              onChange={(keys) => setWorkgroupSetting(wg, INFO_KEYS[level], keys.length > 0 ? keys : null)}
              onRename={(name, to) => renameField(wg, { level, name, to })}
            />
          </Section>
        ))}
      </div>
      <MetadataPreview />
    </div>
  );
}
