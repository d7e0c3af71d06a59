import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../../app/query-client.ts';
import { useSubmit } from '../../app/use-submit.ts';
import type { Country } from './countries.ts';
import { NO_FIELDS, problemOf, type RequestFields, withoutScheme } from './request-fields.ts';
import { countriesQuery, isAvailableQuery, submitRequest } from './workgroup-requests.queries.ts';

/** Between the last key and the question whether the address is free. */
const ASK_AFTER_MS = 500;

/** What has been typed, what is wrong with it, and sending it. */
export function useRequestForm() {
  const { t, i18n } = useTranslation();
  const [fields, setFields] = useState<RequestFields>(() => ({ ...NO_FIELDS, countryCode: ownCountry() }));
  const [left, setLeft] = useState<ReadonlySet<keyof RequestFields>>(new Set());
  const [hasTerms, setTerms] = useState(false);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { data: countries = [] } = useQuery(countriesQuery(i18n.language), queryClient);
  const country = countries.find(({ code }) => code === fields.countryCode) ?? null;

  const email = fields.email.trim();
  const [settled] = useDebouncedValue(email, ASK_AFTER_MS);
  const isAsked = settled === email && problemOf('email', email) === null;
  const { data: isAvailable } = useQuery({ ...isAvailableQuery(email), enabled: isAsked }, queryClient);

  function problem(field: keyof RequestFields): string | null {
    if (field === 'email' && isAvailable === false) return t('workgroupRequests.problems.taken');
    const value = field === 'countryCode' ? (country?.code ?? '') : fields[field];
    const found = left.has(field) ? problemOf(field, value) : null;
    return found && t(`workgroupRequests.problems.${found}`);
  }
  const leave = (...names: (keyof RequestFields)[]) => setLeft((old) => new Set([...old, ...names]));
  function set(field: keyof RequestFields, value: string) {
    setFields((old) => ({ ...old, [field]: field === 'website' ? withoutScheme(value) : value }));
  }

  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    const names = Object.keys(fields) as (keyof RequestFields)[];
    leave(...names);
    if (!country || names.some((name) => problemOf(name, fields[name]) !== null)) return;
    if (!(await isFree(email))) return;
    await submitRequest(requestOf(fields, country));
    setSentTo(email);
  });

  return {
    fields,
    set,
    leave,
    problem,
    countries,
    country,
    hasTerms,
    setTerms,
    isWorking,
    failure,
    sentTo,
    handleSubmit,
  };
}

/** True also when it cannot be known: the server decides once more. */
const isFree = (email: string): Promise<boolean> =>
  queryClient.fetchQuery(isAvailableQuery(email)).catch(() => true);

function requestOf(fields: RequestFields, country: Country) {
  const typed = Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [field, value.trim()]),
  ) as unknown as RequestFields;
  return { ...typed, country: country.name, phone: `${country.dialCode} ${typed.phone}` };
}

/** Where the browser says it is; empty where it says only a language. */
const ownCountry = (): string => new Intl.Locale(navigator.language).region ?? '';
