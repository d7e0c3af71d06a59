import type { StoredRequest } from '@albedo/contract/workgroup-requests/workgroup-requests.schema';
import { Button, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useSubmit } from '../../app/use-submit.ts';
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
  const [name, setName] = useState(() => nameFor(request.company));
  const [displayName, setDisplayName] = useState(request.company);
  const [isRejecting, setRejecting] = useState(false);
  const isName = /^[a-z0-9][a-z0-9_-]{0,62}$/.test(name);

  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    await acceptRequest(request, { name, displayName: displayName.trim() });
    notifyDone(t('workgroupRequests.accepted', { email: request.email }));
    onClose();
  });

  return (
    <form className={classes.decide} onSubmit={handleSubmit}>
      <TextInput
        label={t('workgroupRequests.displayName')}
        maxLength={120}
        value={displayName}
        onChange={(event) => setDisplayName(event.currentTarget.value)}
      />
      <TextInput
        label={t('workgroupRequests.workgroupName')}
        description={t('workgroupRequests.workgroupNameText')}
        maxLength={63}
        value={name}
        error={name === '' || isName ? failure : t('workgroupRequests.problems.name')}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <p className={classes.after}>{t('workgroupRequests.acceptText', { email: request.email })}</p>
      <div className={classes.end}>
        <Button variant="default" onClick={() => setRejecting(true)}>
          {t('workgroupRequests.reject')}
        </Button>
        <Button type="submit" loading={isWorking} disabled={!isName || displayName.trim() === ''}>
          {t('workgroupRequests.accept')}
        </Button>
      </div>
      {isRejecting ? (
        <ConfirmDialog
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
