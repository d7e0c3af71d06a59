import type { StoredTicket, TicketChange, TicketFile } from '@albedo/contract/support/support.schema';
import { Anchor, Button, Group, Modal } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '../../app/notify.ts';
import { useSignedIn } from '../../app/session.ts';
import { useWork } from '../../app/use-submit.ts';
import { sizeText } from '../../ui/file-drop.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import classes from './support.module.css';
import { changeTicket, downloadTicketFile } from './support.queries.ts';

/** One ticket: what was written, what came along, and what becomes of it. */
export function TicketDialog({ ticket, onClose }: { ticket: StoredTicket; onClose: () => void }) {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  const { user } = useSignedIn();
  const isMine = ticket.assignee === user.email;
  const isOpen = ticket.status === 'open';

  const { isWorking, work } = useWork((error) => notifyFailure(t('support.tickets.changeFailed'), error));
  const handleChange = (change: TicketChange) => work(() => changeTicket(ticket._id, change));

  return (
    <Modal
      opened
      onClose={onClose}
      size={680}
      fullScreen={isNarrow}
      title={`#${ticket.taskId} ${ticket.subject}`}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <dl className={classes.facts}>
        <Fact title={t('support.tickets.from')}>
          {ticket.name} · <a href={replyTo(ticket)}>{ticket.email}</a>
        </Fact>
        {ticket.accountEmail === ticket.email ? null : (
          <Fact title={t('support.tickets.account')}>{ticket.accountEmail}</Fact>
        )}
        {ticket.workgroupId ? <Fact title={t('support.tickets.workgroup')}>{ticket.workgroupId}</Fact> : null}
        {ticket.url ? <Fact title={t('support.tickets.page')}>{ticket.url}</Fact> : null}
        <Fact title={t('support.tickets.createdAt')}>
          {formatInstant(ticket.createdAt, userZone(), false)}
        </Fact>
        {ticket.closedAt ? (
          <Fact title={t('support.tickets.closedAt')}>
            {formatInstant(ticket.closedAt, userZone(), false)} · {ticket.closedBy}
          </Fact>
        ) : null}
        <Fact title={t('support.tickets.assignee')}>{ticket.assignee ?? t('support.tickets.nobody')}</Fact>
      </dl>
      <p className={classes.text}>{ticket.body}</p>
      {ticket.files.length > 0 ? (
        <ul className={classes.files} aria-label={t('support.tickets.files')}>
          {ticket.files.map((file) => (
            <li key={file._id}>
              <FileLink ticket={ticket._id} file={file} />
            </li>
          ))}
        </ul>
      ) : null}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button
          mr="auto"
          variant="default"
          loading={isWorking}
          onClick={() => void handleChange({ assign: !isMine })}
        >
          {t(isMine ? 'support.tickets.giveBack' : 'support.tickets.take')}
        </Button>
        <Button component="a" variant="default" href={replyTo(ticket)}>
          {t('support.tickets.reply')}
        </Button>
        <Button loading={isWorking} onClick={() => void handleChange({ status: isOpen ? 'closed' : 'open' })}>
          {t(isOpen ? 'support.tickets.close' : 'support.tickets.reopen')}
        </Button>
      </Group>
    </Modal>
  );
}

function Fact({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function FileLink({ ticket, file }: { ticket: string; file: TicketFile }) {
  const { t } = useTranslation();

  async function handleClick() {
    try {
      const { blob } = await downloadTicketFile(ticket, file._id);
      const url = URL.createObjectURL(blob);
      const link = document.createElement('a');
      link.href = url;
      link.download = file.name;
      link.click();
      URL.revokeObjectURL(url);
    } catch (error) {
      notifyFailure(t('support.tickets.downloadFailed', { name: file.name }), error);
    }
  }

  return (
    <Anchor
      component="button"
      type="button"
      className={classes.file ?? ''}
      onClick={() => void handleClick()}
    >
      <IconDownload size={16} stroke={1.7} aria-hidden="true" />
      <span>{file.name}</span>
      <span className={classes.size}>{sizeText(file.size)}</span>
    </Anchor>
  );
}

/** Opens the staff's mail program with the answer begun. */
const replyTo = ({ email, taskId, subject }: StoredTicket): string =>
  `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(`Re: #${taskId} ${subject}`)}`;
