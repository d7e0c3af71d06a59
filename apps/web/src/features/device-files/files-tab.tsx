import type { FileEntry, FolderListing } from '@albedo/contract/device-files/device-files.schema';
import type { Device } from '@albedo/contract/devices/devices.schema';
import { Breadcrumbs, Button, FileButton, Progress, Table, Text, TextInput } from '@mantine/core';
import { IconDownload, IconFile, IconFolder, IconFolderOpen, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { agoText } from '../../ui/units/durations.ts';
import { formatBytes } from '../../ui/units/units.ts';
import { useRemoteAccessEnd } from '../shells/shells.queries.ts';
import classes from './device-files.module.css';
import { fetchFile, listFolder, sendFile } from './device-files.queries.ts';

/** Where somebody begins to look. */
const FIRST = '/var/log';

/** Folders of the device, one at a time; files come and go. */
export function FilesTab({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const now = useNow(30_000);
  const at = { wg, device: device.id };
  const [listing, setListing] = useState<FolderListing | null>(null);
  const [typed, setTyped] = useState(FIRST);
  const [sent, setSent] = useState<{ name: string; fraction: number } | null>(null);
  const { attempt, isWorking, failure } = useAttempt();
  const endedBy = useRemoteAccessEnd(wg);

  const open = (path: string) =>
    attempt(async () => {
      const found = await listFolder(at, path);
      setListing(found);
      setTyped(found.path);
    });
  const handleGet = (path: string) => attempt(() => fetchFile(at, path));
  const handleSend = (file: File | null) => {
    if (!file || !listing) return;
    void attempt(async () => {
      setSent({ name: file.name, fraction: 0 });
      try {
        await sendFile(at, listing.path, file, (fraction) => setSent({ name: file.name, fraction }));
      } finally {
        setSent(null);
      }
      notifyDone(t('deviceFiles.sent', { name: file.name, device: device.name }));
      setListing(await listFolder(at, listing.path));
    });
  };

  if (endedBy !== null) {
    return (
      <Section title={t('deviceFiles.title')}>
        <EmptyState title={t('shells.off')} text={t('shells.offText', { by: endedBy })} />
      </Section>
    );
  }
  if (!device.facts.online) {
    return (
      <Section title={t('deviceFiles.title')}>
        <EmptyState title={t('deviceFiles.offline')} text={t('deviceFiles.offlineText')} />
      </Section>
    );
  }
  return (
    <Section
      title={t('deviceFiles.title')}
      isFlush
      actions={
        listing ? (
          <FileButton onChange={handleSend}>
            {(props) => (
              <Button
                {...props}
                size="xs"
                variant="default"
                disabled={isWorking}
                leftSection={<IconUpload size={14} />}
              >
                {t('deviceFiles.send')}
              </Button>
            )}
          </FileButton>
        ) : null
      }
    >
      <form
        className={classes.bar}
        onSubmit={(event) => {
          event.preventDefault();
          void open(typed);
        }}
      >
        <TextInput
          className={classes.path}
          aria-label={t('deviceFiles.path')}
          value={typed}
          spellCheck={false}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button
          type="submit"
          variant={listing ? 'default' : 'filled'}
          loading={isWorking && !sent}
          leftSection={<IconFolderOpen size={16} />}
        >
          {t('deviceFiles.open')}
        </Button>
      </form>
      <div className={classes.told}>
        <Failure text={failure} />
      </div>
      {sent ? (
        <div className={classes.sending}>
          <Text size="sm">
            {t('deviceFiles.sending', { name: sent.name, percent: Math.round(100 * sent.fraction) })}
          </Text>
          <Progress value={100 * sent.fraction} aria-label={t('deviceFiles.progress')} />
        </div>
      ) : null}
      {listing ? (
        <>
          <Crumbs path={listing.path} onOpen={(path) => void open(path)} />
          <Table verticalSpacing={5} horizontalSpacing="md">
            <Table.Tbody>
              {listing.entries.map((entry) => (
                <Entry
                  key={entry.name}
                  entry={entry}
                  ago={agoText(entry.changedAt, now)}
                  onOpen={() => void open(pathOf(listing.path, entry.name))}
                  onGet={() => void handleGet(pathOf(listing.path, entry.name))}
                />
              ))}
            </Table.Tbody>
          </Table>
          {listing.entries.length === 0 ? <EmptyState title={t('deviceFiles.empty')} /> : null}
          {listing.isCut ? <p className={classes.hint}>{t('deviceFiles.cut')}</p> : null}
        </>
      ) : (
        <p className={classes.hint}>{t('deviceFiles.intro')}</p>
      )}
    </Section>
  );
}

const pathOf = (folder: string, name: string): string => `${folder === '/' ? '' : folder}/${name}`;

function Crumbs({ path, onOpen }: { path: string; onOpen: (path: string) => void }) {
  const parts = path.split('/').filter(Boolean);
  return (
    <Breadcrumbs className={classes.crumbs} separatorMargin={4}>
      {['', ...parts].map((part, at) => {
        const to = `/${parts.slice(0, at).join('/')}`;
        return (
          <button key={to} type="button" className={classes.crumb} onClick={() => onOpen(to)}>
            {part === '' ? '/' : part}
          </button>
        );
      })}
    </Breadcrumbs>
  );
}

interface EntryProps {
  entry: FileEntry;
  ago: string;
  onOpen: () => void;
  onGet: () => void;
}

function Entry({ entry: { name, kind, size, mode }, ago, onOpen, onGet }: EntryProps) {
  const { t } = useTranslation();
  const isFolder = kind === 'folder' || kind === 'link';
  const Icon = isFolder ? IconFolder : IconFile;
  return (
    <Table.Tr>
      <Table.Td>
        <span className={classes.name}>
          <Icon size={16} aria-hidden />
          {isFolder ? (
            <button type="button" className={classes.crumb} onClick={onOpen}>
              {name}
            </button>
          ) : (
            <span>{name}</span>
          )}
        </span>
      </Table.Td>
      <Table.Td className={classes.number}>{kind === 'file' ? formatBytes(size) : ''}</Table.Td>
      <Table.Td className={classes.wide}>{ago}</Table.Td>
      <Table.Td className={classes.wide}>
        <code>{mode.toString(8).padStart(4, '0')}</code>
      </Table.Td>
      <Table.Td className={classes.number}>
        {kind === 'file' || kind === 'link' ? (
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconDownload size={14} />}
            aria-label={t('deviceFiles.getOf', { name })}
            onClick={onGet}
          >
            {t('deviceFiles.get')}
          </Button>
        ) : null}
      </Table.Td>
    </Table.Tr>
  );
}
