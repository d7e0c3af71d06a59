import { API_PREFIX } from '@albedo/contract/http/endpoint';
import { Button, CopyButton, Textarea } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { ShownOnceDialog } from '../../ui/shown-once-dialog.tsx';
import classes from './api-tokens.module.css';

/** The secret of a new token, and a call to try it with. */
export function TokenSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const curl = `curl -H "authorization: bearer $TOKEN" ${window.location.origin}${API_PREFIX}/devices/${wg}`;
  return (
    <ShownOnceDialog title={t('apiTokens.secretTitle')} kept={t('apiTokens.kept')} onClose={onClose}>
      <p className={classes.note}>{t('apiTokens.secretOnce')}</p>
      <Copied
        label={t('apiTokens.secret')}
        value={secret}
        rows={5}
        copyLabel={t('apiTokens.copySecret')}
        isFirst
      />
      <p className={classes.note}>{t('apiTokens.example')}</p>
      <Copied
        label={t('apiTokens.exampleLabel')}
        value={curl}
        rows={2}
        copyLabel={t('apiTokens.copyExample')}
      />
    </ShownOnceDialog>
  );
}

interface CopiedProps {
  label: string;
  value: string;
  rows: number;
  copyLabel: string;
  isFirst?: boolean;
}

/** A text to read, and the button that copies it. */
function Copied({ label, value, rows, copyLabel, isFirst = false }: CopiedProps) {
  return (
    <>
      <Textarea
        readOnly
        label={label}
        rows={rows}
        classNames={{ input: classes.secret ?? '' }}
        value={value}
      />
      <Copy value={value} label={copyLabel} isFirst={isFirst} />
    </>
  );
}

function Copy({ value, label, isFirst }: { value: string; label: string; isFirst: boolean }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={value} timeout={2000}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          size="xs"
          {...(isFirst ? { 'data-autofocus': true } : {})}
          style={{ alignSelf: 'flex-start' }}
          leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          onClick={copy}
        >
          {copied ? t('actions.copied') : label}
        </Button>
      )}
    </CopyButton>
  );
}
