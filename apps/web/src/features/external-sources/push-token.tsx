import type { SavedExternalSource } from '@albedo/contract/external-sources/external-sources.schema';
import { API_PREFIX } from '@albedo/contract/http/endpoint';
import { Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Secret } from '../../ui/secret.tsx';
import { ShownOnceDialog } from '../../ui/shown-once-dialog.tsx';
import classes from './external-sources.module.css';

const TYPES = { csv: 'text/csv', json: 'application/json', xml: 'application/xml' } as const;

/** The token of a source that others push to. */
export function PushToken({ source, onClose }: { source: SavedExternalSource; onClose: () => void }) {
  const { t } = useTranslation();
  const type = TYPES[source.format];
  const address = `${window.location.origin}${API_PREFIX}/push/${source._id}`;
  const example = `curl -H "authorization: Bearer $TOKEN" -H "content-type: ${type}" --data-binary @data.${source.format} ${address}`;
  return (
    <ShownOnceDialog
      title={t('externalSources.tokenTitle', { name: source.name })}
      kept={t('externalSources.kept')}
      onClose={onClose}
    >
      <p className={classes.note}>{t('externalSources.tokenOnce')}</p>
      <Secret value={source.token ?? ''} label={t('externalSources.token')} />
      <Textarea readOnly autosize label={t('externalSources.example')} value={example} />
    </ShownOnceDialog>
  );
}
