import type {
  Credential,
  newExternalSource,
} from '@albedo/contract/external-sources/external-sources.schema';
import { Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import classes from './external-sources.module.css';
import { HELP_BELOW } from './field-order.ts';
import { HowOften, type PlaceProps, SecretField } from './sign-in-fields.tsx';

type PullInput = NonNullable<z.input<typeof newExternalSource>['pull']>;

export const NO_PULL: PullInput = { address: '', everyMinutes: 15, credential: { kind: 'none' } };

interface PullFieldsProps extends PlaceProps {
  value: PullInput;
  onChange: (part: Partial<PullInput>) => void;
}

/** Which address is read, how often, and how it lets us in. */
export function PullFields({ value, faults, onChange, ...secret }: PullFieldsProps) {
  const { t } = useTranslation();
  const credential = value.credential ?? { kind: 'none' };
  return (
    <>
      <TextInput
        label={t('externalSources.address')}
        description={t('externalSources.addressHelp')}
        inputWrapperOrder={HELP_BELOW}
        placeholder="https://example.org/data"
        value={value.address}
        error={faults.address}
        onChange={(event) => onChange({ address: event.currentTarget.value })}
      />
      <div className={classes.pair}>
        <HowOften value={value.everyMinutes} onChange={(everyMinutes) => onChange({ everyMinutes })} />
        <CredentialKind value={credential} onChange={(next) => onChange({ credential: next })} />
      </div>
      {credential.kind === 'none' ? null : (
        <div className={classes.pair}>
          {credential.kind === 'basic' ? (
            <TextInput
              label={t('externalSources.user')}
              autoComplete="off"
              value={credential.user}
              error={faults['credential.user']}
              onChange={(event) =>
                onChange({ credential: { kind: 'basic', user: event.currentTarget.value } })
              }
            />
          ) : null}
          {credential.kind === 'header' ? (
            <TextInput
              label={t('externalSources.header')}
              autoComplete="off"
              value={credential.header}
              error={faults['credential.header']}
              onChange={(event) =>
                onChange({ credential: { kind: 'header', header: event.currentTarget.value } })
              }
            />
          ) : null}
          <SecretField label={t('externalSources.secret')} {...secret} />
        </div>
      )}
    </>
  );
}

function CredentialKind({ value, onChange }: { value: Credential; onChange: (next: Credential) => void }) {
  const { t } = useTranslation();
  const kinds = ['none', 'bearer', 'basic', 'header'] as const;
  const of = (kind: string): Credential => {
    if (kind === 'basic') return { kind, user: '' };
    if (kind === 'header') return { kind, header: 'X-API-Key' };
    return { kind: kind === 'bearer' ? 'bearer' : 'none' };
  };
  return (
    <Select
      label={t('externalSources.credential')}
      allowDeselect={false}
      data={kinds.map((kind) => ({ value: kind, label: t(`externalSources.credentials.${kind}`) }))}
      value={value.kind}
      onChange={(kind) => onChange(of(kind ?? 'none'))}
    />
  );
}
