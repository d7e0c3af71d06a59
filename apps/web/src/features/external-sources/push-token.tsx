import type { SavedExternalSource } from '@albedo/contract/external-sources/external-sources.schema';
import { API_PREFIX } from '@albedo/contract/http/endpoint';
import { Button, Group, Modal, Stack, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Secret } from '../../ui/secret.tsx';
import classes from './external-sources.module.css';

const TYPES = { csv: 'text/csv', json: 'application/json', xml: 'application/xml' } as const;

/** The token of a source that others push to: it is shown once, so only its button closes it. */
export function PushToken({ source, onClose }: { source: SavedExternalSource; onClose: () => void }) {
  const { t } = useTranslation();
  const type = TYPES[source.format];
  const address = `${window.location.origin}${API_PREFIX}/push/${source._id}`;
  const example = `curl -H "authorization: Bearer $TOKEN" -H "content-type: ${type}" --data-binary @data.${source.format} ${address}`;
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('externalSources.tokenTitle', { name: source.name })}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack gap="sm">
        <p className={classes.note}>{t('externalSources.tokenOnce')}</p>
        <Secret value={source.token ?? ''} label={t('externalSources.token')} />
        <Textarea readOnly autosize label={t('externalSources.example')} value={example} />
      </Stack>
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose}>{t('externalSources.kept')}</Button>
      </Group>
    </Modal>
  );
}
