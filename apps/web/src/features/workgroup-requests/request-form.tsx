// The page of the sign-in has the styles of a few pieces only.
import '../../app/mantine.css';
import { Button, Checkbox, Select, Textarea, TextInput } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../../app/query-client.ts';
import card from '../../ui/public-card.module.css';
import { MAX_LENGTHS, type RequestFields } from './request-fields.ts';
import classes from './requests.module.css';
import { TermsDialog } from './terms-dialog.tsx';
import { useRequestForm } from './use-request-form.ts';

interface RequestFormProps {
  /** It is the whole page, and its title that of the page. */
  isPage?: boolean;
}

/** Asks the provider for a workgroup; anybody may, once and for all without an account. */
export function RequestForm({ isPage = false }: RequestFormProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <Form Title={isPage ? 'h1' : 'h2'} />
    </QueryClientProvider>
  );
}

function Form({ Title }: { Title: 'h1' | 'h2' }) {
  const { t } = useTranslation();
  const form = useRequestForm();
  const { fields, set, check, problem, countries, country, hasTerms, setTerms, dialog } = form;
  const [isReading, setReading] = useState(false);

  if (form.sentTo !== null) {
    return (
      <section className={`${card.card} ${classes.request}`} aria-labelledby="request-title">
        <Title id="request-title" className={classes.title} role="status">
          {t('workgroupRequests.submitted')}
        </Title>
        <p className={classes.text}>{t('workgroupRequests.submittedText', { email: form.sentTo })}</p>
      </section>
    );
  }

  const field = (name: keyof RequestFields, autoComplete: string, leftSection?: ReactNode) => ({
    name,
    label: t(`workgroupRequests.fields.${name}`),
    autoComplete,
    maxLength: MAX_LENGTHS[name],
    value: fields[name],
    error: problem(name),
    onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value),
    onBlur: () => fields[name] !== '' && check(name),
    ...(leftSection ? { leftSection, leftSectionPointerEvents: 'none' as const } : {}),
  });

  return (
    <form
      className={`${card.card} ${classes.request}`}
      aria-labelledby="request-title"
      noValidate
      onSubmit={dialog.onSubmit}
    >
      <div>
        <Title id="request-title" className={classes.title}>
          {t('workgroupRequests.title')}
        </Title>
        <p className={classes.text}>{t('workgroupRequests.text')}</p>
      </div>
      <div className={classes.fields}>
        <TextInput {...field('name', 'name')} />
        <TextInput {...field('title', 'organization-title')} />
        <TextInput {...field('company', 'organization')} />
        <TextInput {...field('email', 'email')} type="email" />
        <TextInput
          className={classes.wide ?? ''}
          {...field('website', 'url', <span className={classes.prefix}>https://</span>)}
          leftSectionWidth={68}
          inputMode="url"
        />
        <Select
          name="countryCode"
          label={t('workgroupRequests.fields.country')}
          data={countries.map(({ code, name }) => ({ value: code, label: name }))}
          value={country?.code ?? null}
          error={problem('countryCode')}
          nothingFoundMessage={t('workgroupRequests.noCountry')}
          searchable
          autoComplete="off"
          onChange={(code) => set('countryCode', code ?? '')}
        />
        <TextInput
          {...field(
            'phone',
            'tel-national',
            country && <span className={classes.prefix}>{country.dialCode}</span>,
          )}
          {...(country ? { leftSectionWidth: 22 + country.dialCode.length * 9 } : {})}
          type="tel"
        />
        <Textarea className={classes.wide ?? ''} {...field('description', 'off')} autosize={false} rows={3} />
      </div>
      <div className={classes.terms}>
        <Checkbox
          label={t('workgroupRequests.terms')}
          checked={hasTerms}
          onChange={(event) => setTerms(event.currentTarget.checked)}
        />
        <button type="button" className={classes.link} onClick={() => setReading(true)}>
          {t('workgroupRequests.readTerms')}
        </button>
      </div>
      <div role="alert" className={classes.failure} hidden={dialog.failure === null}>
        <strong>{t('workgroupRequests.failed')}</strong>
        <span>{dialog.failure}</span>
      </div>
      <Button type="submit" size="md" fullWidth loading={dialog.isWorking} disabled={!hasTerms}>
        {t('workgroupRequests.submit')}
      </Button>
      {isReading ? <TermsDialog onClose={() => setReading(false)} /> : null}
    </form>
  );
}
