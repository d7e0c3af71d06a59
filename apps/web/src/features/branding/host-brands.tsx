import { type HostBrand, hostName } from '@albedo/contract/branding/branding.schema';
import type { BrandImageKind } from '@albedo/contract/workgroups/workgroups.schema';
import { Button, Modal, TextInput } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { checked } from '../../app/faults.ts';
import { notifyDone } from '../../app/notify.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { useTableAddress } from '../../ui/data-table/use-table-address.ts';
import { Failure } from '../../ui/failure.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { PageAction } from '../../ui/page.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
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

/** The host names that look different from the product, for the staff. */
export function HostBrands() {
  const { t } = useTranslation();
  const address = useTableAddress('host');
  const { data, error, refetch } = useQuery(hostBrandsQuery);
  const [edited, setEdited] = useState<string | null>(null);
  const [removed, setRemoved] = useState<string | null>(null);
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
  const narrow = useCallback((row: HostBrand) => <span className={classes.name}>{row.host}</span>, []);
  const menuOf = useCallback(
    ({ host }: HostBrand) => (
      <RowMenu
        label={t('branding.hosts.actions', { host })}
        actions={[
          {
            title: t('branding.hosts.change'),
            icon: <IconPencil size={16} />,
            onClick: () => setEdited(host),
          },
          {
            title: t('branding.hosts.remove'),
            icon: <IconTrash size={16} />,
            isDangerous: true,
            onClick: () => setRemoved(host),
          },
        ]}
      />
    ),
    [t],
  );

  if (error && !data)
    return <ErrorState title={t('branding.hosts.failed')} error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <PageAction>
        <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('')}>
          {t('branding.hosts.add')}
        </Button>
      </PageAction>
      <DataTable
        label={t('opsteam.tabs.branding')}
        name="hosts"
        columns={columns}
        rows={data}
        rowId={idOf}
        sort={address.sort}
        onSort={address.setSort}
        find={{ label: t('branding.hosts.search'), q: address.q, setQ: address.setQ }}
        narrow={narrow}
        actions={menuOf}
        empty={<EmptyState title={t('branding.hosts.none')} text={t('branding.hosts.noneText')} />}
      />
      {edited === null ? null : (
        <HostDialog
          brand={data?.find(({ host }) => host === edited) ?? PLAIN}
          onSaved={setEdited}
          onClose={() => setEdited(null)}
        />
      )}
      {removed === null ? null : (
        <ConfirmDialog
          onClose={() => setRemoved(null)}
          onConfirm={async () => {
            await removeHost(removed);
            notifyDone(t('branding.hosts.removed', { host: removed }));
          }}
        >
          {t('branding.hosts.removeText', { host: removed })}
        </ConfirmDialog>
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
