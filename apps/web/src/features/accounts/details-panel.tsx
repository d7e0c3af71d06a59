import { profileChange, type UserProfile } from '@albedo/contract/accounts/accounts.schema';
import { Button, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './accounts.module.css';
import { saveProfile } from './accounts.queries.ts';
import { EmailPanel } from './email-panel.tsx';

const FIELDS = [
  { key: 'name', autoComplete: 'name', longest: 120 },
  { key: 'company', autoComplete: 'organization', longest: 200 },
  { key: 'phone', autoComplete: 'tel', longest: 200 },
] as const;

const details = profileChange.pick({ name: true, company: true, phone: true, address: true }).required();

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
  const { values, field, dialog } = useContractForm({
    schema: details,
    initial: { name, company, phone, address },
    send: async (draft) => {
      await saveProfile(draft);
      notifyDone(t('profile.saved'));
    },
  });
  const isNameless = values.name.trim() === '';
  const isChanged = Object.entries(values).some(
    ([key, value]) => value.trim() !== profile[key as keyof typeof values],
  );

  return (
    <Section title={t('profile.details')}>
      <form className={classes.form} noValidate onSubmit={dialog.onSubmit}>
        {FIELDS.map(({ key, autoComplete, longest }) => (
          <TextInput
            key={key}
            {...field(key)}
            label={t(`profile.${key}`)}
            autoComplete={autoComplete}
            maxLength={longest}
            required={key === 'name'}
            {...(key === 'name' && isNameless ? { error: t('profile.nameNeeded') } : {})}
          />
        ))}
        <Textarea
          {...field('address')}
          label={t('profile.address')}
          autoComplete="street-address"
          autosize
          minRows={2}
          maxRows={6}
          maxLength={200}
        />
        <Failure text={dialog.failure} />
        <div>
          <Button type="submit" loading={dialog.isWorking} disabled={isNameless || !isChanged}>
            {t('actions.save')}
          </Button>
        </div>
      </form>
    </Section>
  );
}
