import {
  acceptedRequest,
  type StoredRequest,
} from '@albedo/contract/workgroup-requests/workgroup-requests.schema';
import { Button, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { confirmText } from '../../app/confirm-text.ts';
import { MfaChoice } from '../../app/mfa-choice.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { Failure } from '../../ui/failure.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import classes from './requests.module.css';
import { acceptRequest, rejectRequest } from './workgroup-requests.queries.ts';

const FIELDS = ['name', 'title', 'email', 'phone', 'country', 'description'] as const;

interface RequestDialogProps {
  request: StoredRequest;
  onClose: () => void;
}

/** All that a request says, and deciding it while it is open. */
export function RequestDialog({ request, onClose }: RequestDialogProps) {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  const time = (at: number) => formatInstant(at, userZone(), false);
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      fullScreen={isNarrow}
      title={request.company}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <dl className={classes.facts}>
        <dt>{t('workgroupRequests.fields.website')}</dt>
        <dd>
          <a href={`https://${request.website}`} target="_blank" rel="noreferrer">
            {request.website}
          </a>
        </dd>
        {FIELDS.map((field) => (
          <div key={field} style={{ display: 'contents' }}>
            <dt>{t(`workgroupRequests.fields.${field}`)}</dt>
            <dd>{request[field]}</dd>
          </div>
        ))}
        <dt>{t('workgroupRequests.requestedAt')}</dt>
        <dd>{time(request.requestedAt)}</dd>
        {request.decidedAt === null ? null : (
          <>
            <dt>{t(`workgroupRequests.statuses.${request.status}`)}</dt>
            <dd>
              {t('workgroupRequests.decided', { by: request.decidedBy ?? '', time: time(request.decidedAt) })}
              {request.workgroup ? ` ${t('workgroupRequests.became', { workgroup: request.workgroup })}` : ''}
            </dd>
          </>
        )}
      </dl>
      {request.status === 'open' ? <Decision request={request} onClose={onClose} /> : null}
    </Modal>
  );
}

function Decision({ request, onClose }: RequestDialogProps) {
  const { t } = useTranslation();
  const [isRejecting, setRejecting] = useState(false);
  const { values, set, field, dialog } = useContractForm({
    schema: acceptedRequest,
    initial: {
      name: nameFor(request.company),
      displayName: request.company,
      mfaRequired: undefined as boolean | undefined,
    },
    refusals: { 'workgroup.name_taken': 'name', 'workgroup.name_gone': 'name' },
    send: async (wanted) => {
      await acceptRequest(request, wanted);
      notifyDone(t('workgroupRequests.accepted', { email: request.email }));
      onClose();
    },
  });
  const isName = acceptedRequest.shape.name.safeParse(values.name).success;
  const named = field('name');

  return (
    <form className={classes.decide} noValidate onSubmit={dialog.onSubmit}>
      <TextInput {...field('displayName')} label={t('workgroupRequests.displayName')} maxLength={120} />
      <TextInput
        {...named}
        label={t('workgroupRequests.workgroupName')}
        description={t('workgroupRequests.workgroupNameText')}
        maxLength={63}
        error={values.name === '' || isName ? named.error : t('workgroupRequests.problems.name')}
      />
      <MfaChoice value={values.mfaRequired} onChange={(mfaRequired) => set({ mfaRequired })} />
      <p className={classes.after}>{t('workgroupRequests.acceptText', { email: request.email })}</p>
      <Failure text={dialog.failure} />
      <div className={classes.end}>
        <Button variant="default" onClick={() => setRejecting(true)}>
          {t('workgroupRequests.reject')}
        </Button>
        <Button
          type="submit"
          loading={dialog.isWorking}
          disabled={!isName || values.displayName.trim() === ''}
        >
          {t('workgroupRequests.accept')}
        </Button>
      </div>
      {isRejecting ? (
        <ConfirmDialog
          confirm={confirmText(t('workgroupRequests.reject'), request.company)}
          onClose={() => setRejecting(false)}
          onConfirm={async () => {
            await rejectRequest(request);
            notifyDone(t('workgroupRequests.rejected', { company: request.company }));
            onClose();
          }}
        >
          {t('workgroupRequests.rejectText', { company: request.company })}
        </ConfirmDialog>
      ) : null}
    </form>
  );
}

/** A name as addresses have it, made of what the company is called. */
const nameFor = (company: string): string =>
  company
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63);
