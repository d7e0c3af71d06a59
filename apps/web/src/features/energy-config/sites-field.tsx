import type { EnergyConfigs } from '@albedo/contract/energy/energy-config.schema';
import { ActionIcon, Button, MultiSelect, Table, TextInput } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Section } from '../../ui/section.tsx';
import { NO_VALUE } from '../../ui/units/numbers.ts';
import { WideTable } from '../../ui/wide-table.tsx';
import { deviceListQuery } from '../devices/devices.queries.ts';
import classes from './energy-config.module.css';

type Site = EnergyConfigs['meter-data-config']['sites'][number];

interface SitesFieldProps {
  value: readonly Site[];
  codes: readonly string[];
  error: string | undefined;
  onChange: (sites: Site[]) => void;
}

/** Sites of meters: which codes count what which devices produce, each as often as one likes. */
export function SitesField({ value, codes, error, onChange }: SitesFieldProps) {
  const { t } = useTranslation();
  const { data: devices = [] } = useQuery(deviceListQuery(useWorkgroup()));
  const [open, setOpen] = useState<Site | null>(null);
  const names = new Map(devices.map(({ id, name }) => [id, name]));
  const add = () => setOpen({ id: crypto.randomUUID(), name: '', codes: [], devices: [] });
  const keep = (site: Site) => {
    const isNew = !value.some(({ id }) => id === site.id);
    onChange(isNew ? [...value, site] : value.map((one) => (one.id === site.id ? site : one)));
    setOpen(null);
  };
  return (
    <Section
      title={t('energyConfig.sites')}
      context={t('energyConfig.sitesText')}
      actions={
        <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={add}>
          {t('energyConfig.addSite')}
        </Button>
      }
    >
      {error ? <p className={classes.fault}>{error}</p> : null}
      {value.length === 0 ? (
        <p className={classes.note}>{t('energyConfig.noSites')}</p>
      ) : (
        <WideTable label={t('energyConfig.sites')} leastPx={520}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('energyConfig.siteName')}</Table.Th>
              <Table.Th>{t('energyConfig.codes')}</Table.Th>
              <Table.Th>{t('energyConfig.siteDevices')}</Table.Th>
              <Table.Th aria-label={t('energyConfig.siteActions')} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {value.map((site) => (
              <Table.Tr key={site.id}>
                <Table.Td>{site.name}</Table.Td>
                <Table.Td>{site.codes.join(', ') || NO_VALUE}</Table.Td>
                <Table.Td>{site.devices.map((id) => names.get(id) ?? id).join(', ') || NO_VALUE}</Table.Td>
                <Table.Td>
                  <ActionIcon.Group style={{ justifyContent: 'flex-end' }}>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={t('energyConfig.editSite', { name: site.name })}
                      onClick={() => setOpen(site)}
                    >
                      <IconPencil size={16} />
                    </ActionIcon>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={t('energyConfig.removeSite', { name: site.name })}
                      onClick={() => onChange(value.filter(({ id }) => id !== site.id))}
                    >
                      <IconTrash size={16} />
                    </ActionIcon>
                  </ActionIcon.Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </WideTable>
      )}
      {open ? (
        <SiteDialog
          site={open}
          codes={codes}
          devices={devices.map(({ id, name }) => ({ value: id, label: name }))}
          onKeep={keep}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </Section>
  );
}

interface SiteDialogProps {
  site: Site;
  codes: readonly string[];
  devices: { value: string; label: string }[];
  onKeep: (site: Site) => void;
  onClose: () => void;
}

function SiteDialog({ site, codes, devices, onKeep, onClose }: SiteDialogProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(site);
  return (
    <FormDialog
      title={site.name || t('energyConfig.addSite')}
      submit={t('energyConfig.keep')}
      isWorking={false}
      isDisabled={draft.name.trim() === ''}
      failure={null}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onKeep({ ...draft, name: draft.name.trim() });
      }}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t('energyConfig.siteName')}
        maxLength={200}
        value={draft.name}
        onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
      />
      <MultiSelect
        label={t('energyConfig.codes')}
        searchable
        data={[...new Set([...codes, ...draft.codes])]}
        value={draft.codes}
        nothingFoundMessage={t('energyConfig.noSuchCode')}
        onChange={(next) => setDraft({ ...draft, codes: next })}
      />
      <MultiSelect
        label={t('energyConfig.siteDevices')}
        searchable
        data={devices}
        limit={100}
        value={draft.devices}
        onChange={(next) => setDraft({ ...draft, devices: next })}
      />
    </FormDialog>
  );
}
