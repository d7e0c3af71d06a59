import type { UserProfile } from '@albedo/contract/accounts/accounts.schema';
import { Button, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { Section } from '../../ui/section.tsx';
import classes from './accounts.module.css';
import { saveProfile } from './accounts.queries.ts';
import { EmailPanel } from './email-panel.tsx';

const FIELDS = [
  { key: 'name', autoComplete: 'name', longest: 120 },
  { key: 'company', autoComplete: 'organization', longest: 200 },
  { key: 'phone', autoComplete: 'tel', longest: 200 },
] as const;

/** Name and contact details of the person. */
export function DetailsPanel({ profile }: { profile: UserProfile }) {
  return (
    <>
      <DetailsForm profile={profile} />
      <EmailPanel profile={profile} />
    </>
  );
}

function DetailsForm({ profile }: { profile: UserProfile }) {
  const { t } = useTranslation();
  const { name, company, phone, address } = profile;
  const [draft, setDraft] = useState({ name, company, phone, address });
  const isNameless = draft.name.trim() === '';
  const isChanged = Object.entries(draft).some(
    ([key, value]) => value.trim() !== profile[key as keyof typeof draft],
  );

  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    await saveProfile(draft);
    notifyDone(t('profile.saved'));
  });

  return (
    <Section title={t('profile.details')}>
      <form className={classes.form} onSubmit={handleSubmit}>
        {FIELDS.map(({ key, autoComplete, longest }) => (
          <TextInput
            key={key}
            label={t(`profile.${key}`)}
            autoComplete={autoComplete}
            maxLength={longest}
            required={key === 'name'}
            error={key === 'name' && isNameless ? t('profile.nameNeeded') : null}
            value={draft[key]}
            onChange={(event) => setDraft({ ...draft, [key]: event.currentTarget.value })}
          />
        ))}
        <Textarea
          label={t('profile.address')}
          autoComplete="street-address"
          autosize
          minRows={2}
          maxRows={6}
          maxLength={200}
          value={draft.address}
          onChange={(event) => setDraft({ ...draft, address: event.currentTarget.value })}
        />
        {failure ? (
          <p role="alert" className={classes.banner}>
            {failure}
          </p>
        ) : null}
        <div>
          <Button type="submit" loading={isWorking} disabled={isNameless || !isChanged}>
            {t('actions.save')}
          </Button>
        </div>
      </form>
    </Section>
  );
}
