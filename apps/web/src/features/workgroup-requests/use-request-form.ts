import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadFailureTexts } from '../../app/i18n.ts';
import { queryClient } from '../../app/query-client.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import {
  NO_FIELDS,
  type RequestFields,
  requestEmail,
  typedRequest,
  withoutScheme,
} from './request-fields.ts';
import { countriesQuery, isAvailableQuery, submitRequest } from './workgroup-requests.queries.ts';

/** Between the last key and the question whether the address is free. */
const ASK_AFTER_MS = 500;

/** What has been typed, what is wrong with it, and sending it. */
export function useRequestForm() {
  const { t, i18n } = useTranslation();
  const [hasTerms, setTerms] = useState(false);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { data: countries = [] } = useQuery(countriesQuery(i18n.language), queryClient);
  // Faults have their words with those of the server's failures, which public pages load when one is there.
  useEffect(() => void loadFailureTexts(), []);

  const form = useContractForm({
    schema: useMemo(() => typedRequest(countries), [countries]),
    initial: { ...NO_FIELDS, countryCode: ownCountry() },
    send: async (request) => {
      if (!(await isFree(request.email))) return;
      await submitRequest(request);
      setSentTo(request.email);
    },
  });
  const { values: fields, set: change, check, faultOf, dialog } = form;
  const country = countries.find(({ code }) => code === fields.countryCode) ?? null;

  const [settled] = useDebouncedValue(fields.email, ASK_AFTER_MS);
  const email = requestEmail.safeParse(fields.email).data ?? '';
  const isAsked = settled === fields.email && email !== '';
  const { data: isAvailable } = useQuery({ ...isAvailableQuery(email), enabled: isAsked }, queryClient);

  function problem(field: keyof RequestFields): string | undefined {
    if (field === 'email' && isAvailable === false) return t('workgroupRequests.problems.taken');
    return faultOf(field);
  }
  function set(field: keyof RequestFields, value: string) {
    change({ [field]: field === 'website' ? withoutScheme(value) : value });
  }

  return { fields, set, check, problem, countries, country, hasTerms, setTerms, sentTo, dialog };
}

/** True also when it cannot be known: the server decides once more. */
const isFree = (email: string): Promise<boolean> =>
  queryClient.fetchQuery(isAvailableQuery(email)).catch(() => true);

/** Where the browser says it is; empty where it says only a language. */
const ownCountry = (): string => new Intl.Locale(navigator.language).region ?? '';
