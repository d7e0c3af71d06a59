// The sign-in has the styles of a few pieces only.
import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './copy-id.module.css';

interface CopyIdProps {
  value: string;
  /** What is copied, for the name of the button. */
  label: string;
}

/** An id, or whatever else is copied rather than typed, with the button that copies it. */
export function CopyId({ value, label }: CopyIdProps) {
  return (
    <span className={classes.line}>
      <code className={classes.value}>{value}</code>
      <CopyIcon value={value} label={label} />
    </span>
  );
}

/** A button that copies `value`; `label` says what that is. */
export function CopyIcon({ value, label }: CopyIdProps) {
  const { t } = useTranslation();
  return (
    <CopyButton value={value} timeout={2000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('actions.copied') : t('actions.copyWhat', { what: label })}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={copied ? t('actions.copied') : t('actions.copyWhat', { what: label })}
            onClick={copy}
          >
            {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
