import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { passkeyProblem } from '../../app/passkey-problem.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { NewRecoveryCode } from './add-passkey-dialog.tsx';
import classes from './passkeys.module.css';
import { renewRecoveryCodeByPasskey } from './passkeys.queries.ts';

/** Makes a new recovery code for the touch of a passkey. */
export function RecoveryByPasskeyDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [code, setCode] = useState<string | null>(null);

  const { isWorking, failure, attempt } = useAttempt((error) => passkeyProblem(t, error));
  const handleConfirm = () => attempt(async () => setCode(await renewRecoveryCodeByPasskey()));

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('passkeys.newRecoveryCode')}
      closeOnClickOutside={code === null}
      closeOnEscape={code === null}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      {code === null ? (
        <div className={classes.form}>
          <p>{t('passkeys.newRecoveryText')}</p>
          <Failure text={failure} />
          <div className={classes.end}>
            <Button variant="default" onClick={onClose}>
              {t('actions.cancel')}
            </Button>
            <Button data-autofocus loading={isWorking} onClick={() => void handleConfirm()}>
              {t('passkeys.use')}
            </Button>
          </div>
        </div>
      ) : (
        <NewRecoveryCode code={code} onClose={onClose} />
      )}
    </Modal>
  );
}
