import { type HostBrand, hostName } from '@albedo/contract/branding/branding.schema';
import type { BrandImageKind } from '@albedo/contract/workgroups/workgroups.schema';
import { Button, Modal, TextInput } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { RowAction } from '../../app/list/actions.ts';
import { ListTable } from '../../app/list/list-table.tsx';
import { useList } from '../../app/list/use-list.ts';
import { notifyDone } from '../../app/notify.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
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
import { draftOf, isComplete, typedTheme } from './theme-draft.ts';
import { ThemeFields } from './theme-fields.tsx';

const idOf = (row: HostBrand): string => row.host;
const typedBrand = z.object({ host: hostName, theme: typedTheme });
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
  const { values, set, field, dialog } = useContractForm({
    schema: typedBrand,
    initial: { host: brand.host, theme: draftOf(brand.theme) },
    send: async ({ host, theme }) => {
      await setHostTheme(host, theme);
      notifyDone(t('branding.hosts.saved', { host }));
      onSaved(host);
    },
  });

  return (
    <Modal
      opened
      size="xl"
      fullScreen={isNarrow}
      onClose={onClose}
      title={isNew ? t('branding.hosts.add') : t('branding.hosts.edit', { host: brand.host })}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form noValidate className={classes.dialog} onSubmit={dialog.onSubmit}>
        {isNew ? (
          <TextInput
            {...field('host')}
            data-autofocus
            label={t('branding.hosts.host')}
            description={t('branding.hosts.hostHelp')}
          />
        ) : null}
        <ThemeFields draft={values.theme} onChange={(theme) => set({ theme })} />
        {isNew ? (
          <p className={classes.verdict}>{t('branding.hosts.imagesAfter')}</p>
        ) : (
          <div className={classes.images}>
            <HostImageField brand={brand} kind="logo" />
            <HostImageField brand={brand} kind="favicon" />
          </div>
        )}
        <Failure text={dialog.failure} />
        <FormButtons
          leave={t('actions.close')}
          isWorking={dialog.isWorking}
          isDisabled={values.host.trim() === '' || !isComplete(values.theme)}
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
