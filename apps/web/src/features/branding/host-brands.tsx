import { type HostBrand, hostName } from '@albedo/contract/branding/branding.schema';
import type { BrandImageKind } from '@albedo/contract/workgroups/workgroups.schema';
import { Button, Modal, TextInput } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checked } from '../../app/faults.ts';
import type { RowAction } from '../../app/list/actions.ts';
import { ListTable } from '../../app/list/list-table.tsx';
import { useList } from '../../app/list/use-list.ts';
import { notifyDone } from '../../app/notify.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { PageAction } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { BrandImageField } from './brand-image-field.tsx';
import classes from './branding.module.css';
import {
  hostBrandsQuery,
  hostImageQuery,
  removeHost,
  removeHostImage,
  setHostImage,
  setHostTheme,
} from './branding.queries.ts';
import { draftOf, isComplete, themeOfDraft } from './theme-draft.ts';
import { ThemeFields } from './theme-fields.tsx';

const idOf = (row: HostBrand): string => row.host;
const PLAIN = { host: '', theme: {}, images: {} } satisfies HostBrand;

const NarrowHost = ({ row: { host } }: { row: HostBrand }) => <span className={classes.name}>{host}</span>;

/** The host names that look different from the product, for the staff. */
export function HostBrands() {
  const { t } = useTranslation();
  const list = useList({ query: hostBrandsQuery, sort: 'host' });
  const [edited, setEdited] = useState<string | null>(null);
  const columns = useMemo(
    () => [
      {
        id: 'host',
        title: t('branding.hosts.host'),
        value: (row: HostBrand) => row.host,
        width: 280,
        isFixed: true,
      },
      {
        id: 'service',
        title: t('branding.serviceName'),
        value: (row: HostBrand) => row.theme.serviceName ?? '',
        width: 200,
      },
      {
        id: 'primary',
        title: t('branding.colours.primary'),
        value: (row: HostBrand) => row.theme.primary ?? '',
        width: 160,
      },
    ],
    [t],
  );
  const menu = useMemo(
    () => ({
      label: ({ host }: HostBrand) => t('branding.hosts.actions', { host }),
      actions: ({ host }: HostBrand): RowAction<HostBrand>[] => [
        {
          id: 'change',
          title: t('branding.hosts.change'),
          icon: <IconPencil size={16} />,
          dialog: (brand, { close }) => <HostDialog brand={brand} onSaved={() => {}} onClose={close} />,
        },
        {
          id: 'remove',
          title: t('branding.hosts.remove'),
          icon: <IconTrash size={16} />,
          isDangerous: true,
          ask: { text: t('branding.hosts.removeText', { host }) },
          run: async () => {
            await removeHost(host);
            notifyDone(t('branding.hosts.removed', { host }));
          },
        },
      ],
    }),
    [t],
  );
  return (
    <>
      <PageAction>
        <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('')}>
          {t('branding.hosts.add')}
        </Button>
      </PageAction>
      <ListTable
        list={list}
        label={t('opsteam.tabs.branding')}
        failed={t('branding.hosts.failed')}
        name="hosts"
        columns={columns}
        rowId={idOf}
        search={t('branding.hosts.search')}
        Narrow={NarrowHost}
        menu={menu}
        empty={<EmptyState title={t('branding.hosts.none')} text={t('branding.hosts.noneText')} />}
      />
      {edited === null ? null : (
        <HostDialog
          brand={list.all?.find(({ host }) => host === edited) ?? PLAIN}
          onSaved={setEdited}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}

interface HostDialogProps {
  brand: HostBrand;
  /** A new host name is there and can have images now. */
  onSaved: (host: string) => void;
  onClose: () => void;
}

function HostDialog({ brand, onSaved, onClose }: HostDialogProps) {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  const isNew = brand.host === '';
  const [typed, setTyped] = useState('');
  const [draft, setDraft] = useState(() => draftOf(brand.theme));
  const host = isNew ? typed.trim().toLowerCase() : brand.host;

  const { isWorking, failure, fault, trouble, handleSubmit } = useSubmit(async () => {
    const known = checked(hostName, host);
    await setHostTheme(known, themeOfDraft(draft));
    notifyDone(t('branding.hosts.saved', { host: known }));
    onSaved(known);
  });

  return (
    <Modal
      opened
      size="xl"
      fullScreen={isNarrow}
      onClose={onClose}
      title={isNew ? t('branding.hosts.add') : t('branding.hosts.edit', { host })}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form noValidate className={classes.dialog} onSubmit={handleSubmit}>
        {isNew ? (
          <TextInput
            data-autofocus
            label={t('branding.hosts.host')}
            description={t('branding.hosts.hostHelp')}
            value={typed}
            error={fault}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        ) : null}
        <ThemeFields draft={draft} onChange={setDraft} />
        {isNew ? (
          <p className={classes.verdict}>{t('branding.hosts.imagesAfter')}</p>
        ) : (
          <div className={classes.images}>
            <HostImageField brand={brand} kind="logo" />
            <HostImageField brand={brand} kind="favicon" />
          </div>
        )}
        <Failure text={isNew ? trouble : failure} />
        <FormButtons
          leave={t('actions.close')}
          isWorking={isWorking}
          isDisabled={host === '' || !isComplete(draft)}
          onCancel={onClose}
        />
      </form>
    </Modal>
  );
}

function HostImageField({ brand: { host, images }, kind }: { brand: HostBrand; kind: BrandImageKind }) {
  const version = images[kind];
  const { data } = useQuery({ ...hostImageQuery(host, kind, version ?? ''), enabled: version !== undefined });
  return (
    <BrandImageField
      kind={kind}
      url={version === undefined ? null : (data ?? null)}
      onSet={(file) => setHostImage(host, kind, file)}
      onRemove={() => removeHostImage(host, kind)}
    />
  );
}
