import type { EnergyConfigName } from '@albedo/contract/energy/energy.names';
import { ENERGY_CONFIG_SCHEMAS, type EnergyConfigs } from '@albedo/contract/energy/energy-config.schema';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../app/call.ts';
import { faultsByPath, serverFaultsByPath } from '../../app/faults.ts';
import { notifyDone } from '../../app/notify.ts';
import { queryClient } from '../../app/query-client.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { isSame } from '../../app/versions/same.ts';
import { configQuery, type KeptConfig, saveConfig } from './energy-config.queries.ts';

/** What the fields of a configuration get. */
export interface FieldsProps<Name extends EnergyConfigName> {
  value: EnergyConfigs[Name];
  set: (part: Partial<EnergyConfigs[Name]>) => void;
  /** What is wrong at a path, such as `roles.azimuth`; of anything below it too. */
  faultOf: (path: string) => string | undefined;
}

/** A configuration as somebody changes it, until it is saved. */
export function useConfig<Name extends EnergyConfigName>(wg: string, name: Name, kept: KeptConfig<Name>) {
  const { t } = useTranslation();
  const [base, setBase] = useState(kept);
  const [draft, setDraft] = useState(kept.value);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [theirs, setTheirs] = useState<KeptConfig<Name> | null>(null);
  const isChanged = !isSame(draft, base.value);
  const rebase = (next: KeptConfig<Name>, value = next.value) => {
    setBase(next);
    setDraft(value);
    setFaults({});
    setTheirs(null);
  };
  // Somebody else saved it: who has changed nothing sees that at once.
  if (kept.version > base.version && !isChanged) rebase(kept);

  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    setFaults({});
    const { data, error } = ENERGY_CONFIG_SCHEMAS[name].safeParse(draft);
    if (!data) return setFaults(faultsByPath(error));
    try {
      rebase(await saveConfig(wg, name, { version: base.version, value: data as EnergyConfigs[Name] }));
      notifyDone(t('energyConfig.saved', { config: t(`energy.configs.${name as EnergyConfigName}`) }));
    } catch (refusal) {
      if (!(refusal instanceof ApiError)) throw refusal;
      if (refusal.code === 409)
        return setTheirs(await queryClient.fetchQuery({ ...configQuery(wg, name), staleTime: 0 }));
      if (refusal.issues.length === 0) throw refusal;
      setFaults(serverFaultsByPath(refusal, 'value'));
    }
  });
  const set = (part: Partial<EnergyConfigs[Name]>) => {
    setDraft({ ...draft, ...part });
    const gone = Object.keys(part);
    setFaults(
      Object.fromEntries(Object.entries(faults).filter(([path]) => !gone.some((key) => isWithin(path, key)))),
    );
  };
  const faultOf = (path: string) => Object.entries(faults).find(([at]) => isWithin(at, path))?.[1];
  return {
    base,
    draft,
    set,
    faults,
    faultOf,
    isChanged,
    isWorking,
    failure,
    handleSubmit,
    theirs,
    setTheirs,
    rebase,
  };
}

const isWithin = (path: string, key: string): boolean => path === key || path.startsWith(`${key}.`);
