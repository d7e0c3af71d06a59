import {
  type AccessAction,
  ALL_RESOURCES,
  RESOURCE_ACTIONS,
  type ResourceType,
} from '@albedo/contract/access/resources';
import {
  type Explanation,
  resourceId as resourceIdSchema,
  resourceType as resourceTypeSchema,
} from '@albedo/contract/access-control/access-control.schema';
import { Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { useSearchChange } from '../../ui/data-table/use-table-address.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { localeTag } from '../../ui/units/locale.ts';
import classes from './access-control.module.css';
import { type WhyAsked, whyQuery } from './access-control.queries.ts';
import { RuleLine } from './rule-line.tsx';
import { capital, resourceText } from './rule-sentence.ts';
import { usePrincipals } from './use-principals.ts';

type Kind = 'User' | 'API_Token';

/** Why may this user do this? */
export function WhySection() {
  const { t } = useTranslation();
  const principals = usePrincipals();
  const { kind, principalId, resourceType, resource, action, change } = useAsked();
  const [resourceId] = useDebouncedValue(resource.trim() || ALL_RESOURCES, 300);
  const isId = resourceIdSchema.safeParse(resource.trim() || ALL_RESOURCES).success;
  return (
    <Section title={t('accessControl.whyTitle')} context={t('accessControl.whyContext')}>
      <div className={classes.form}>
        <Select
          label={t('accessControl.principalType')}
          allowDeselect={false}
          value={kind}
          data={(['User', 'API_Token'] as const).map((value) => ({
            value,
            label: t(`accessControl.types.${value}`),
          }))}
          onChange={(next) => change({ whose: next ?? undefined, who: undefined })}
        />
        <Select
          label={t('accessControl.whyWho')}
          searchable
          placeholder={t('accessControl.choose')}
          nothingFoundMessage={t('accessControl.nothingToChoose')}
          value={principalId}
          data={principals.choices(kind)}
          onChange={(next) => change({ who: next ?? undefined })}
        />
        <Select
          label={t('accessControl.resourceType')}
          allowDeselect={false}
          value={resourceType}
          data={(Object.keys(RESOURCE_ACTIONS) as ResourceType[]).map((value) => ({
            value,
            label: t(`accessControl.resources.${value}`),
          }))}
          onChange={(next) => change({ type: next ?? undefined, action: undefined })}
        />
        <TextInput
          label={t('accessControl.resourceId')}
          placeholder={capital(t(`accessControl.every.${resourceType}`))}
          error={isId ? null : t('accessControl.resourceIdWrong')}
          maxLength={200}
          autoComplete="off"
          value={resource}
          onChange={(event) => change({ resource: event.currentTarget.value || undefined })}
        />
        <Select
          label={t('accessControl.action')}
          allowDeselect={false}
          value={action}
          data={RESOURCE_ACTIONS[resourceType].map((value) => ({
            value,
            label: capital(t(`accessControl.actions.${value}`)),
          }))}
          onChange={(next) => change({ action: next ?? undefined })}
        />
      </div>
      {principalId === null || !isId ? null : (
        <Answer asked={{ principalType: kind, principalId, resourceType, resourceId, action }} />
      )}
    </Section>
  );
}

/** What is asked stands in the address, so that a link shows somebody else the same answer. */
function useAsked() {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const change = useSearchChange();
  const textOf = (name: string) => (search[name] === undefined ? '' : String(search[name]));
  const kind: Kind = search.whose === 'API_Token' ? 'API_Token' : 'User';
  const resourceType = resourceTypeSchema.safeParse(search.type).data ?? 'DeviceCommand';
  const actions: readonly AccessAction[] = RESOURCE_ACTIONS[resourceType];
  const usual = resourceType === 'DeviceCommand' ? 'run' : actions[0];
  const action = actions.find((one) => one === search.action) ?? usual ?? 'read';
  return {
    kind,
    principalId: textOf('who') || null,
    resourceType,
    resource: textOf('resource'),
    action,
    change,
  };
}

function Answer({ asked }: { asked: WhyAsked }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error, refetch } = useQuery(whyQuery(wg, asked));
  if (error)
    return <ErrorState title={t('accessControl.whyFailed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  return (
    <div className={classes.answer} data-is-allowed={data.isAllowed} aria-live="polite">
      <p className={classes.verdict}>
        {t(data.isAllowed ? 'accessControl.whyYes' : 'accessControl.whyNo', {
          name: data.principal.name,
          action: t(`accessControl.actions.${asked.action}`),
          what: resourceText(t, asked.resourceType, asked.resourceId ?? ALL_RESOURCES, data.isAllowed),
        })}
      </p>
      <ol className={classes.steps}>
        <li>
          {t(data.permission.isHeld ? 'accessControl.whyHeld' : 'accessControl.whyNotHeld', {
            needed: t(`accessControl.needed.${data.permission.needed}`),
          })}
        </li>
        <li>
          <WhoText data={data} />
        </li>
        <li>{t(rulesKey(data))}</li>
      </ol>
      {data.rules.length > 0 ? (
        <ul className={`${classes.list} ${classes.told}`}>
          {data.rules.map((rule, i) => (
            <RuleLine
              key={rule._id}
              rule={rule}
              isFirst={i === 0}
              second={t(i === 0 ? `accessControl.decides.${rule.effect}` : 'accessControl.weaker')}
            />
          ))}
        </ul>
      ) : null}
    </div>
  );
}

function rulesKey({ isOn, isAllowedByRules, rules }: Explanation): string {
  if (!isOn) return 'accessControl.whyOff';
  if (rules.length === 0) return 'accessControl.whyNoRule';
  return isAllowedByRules ? 'accessControl.whyAllowed' : 'accessControl.whyDenied';
}

/** What of the person or token the rules can be about. */
function WhoText({ data }: { data: Explanation }) {
  const { t } = useTranslation();
  const { choices } = usePrincipals();
  const { devGroup, roles } = data.principal;
  const group = choices('Device_Group').find(({ value }) => value === devGroup)?.label;
  const names = choices('Role').filter(({ value }) => roles.includes(value));
  return (
    <>
      {devGroup === null
        ? t('accessControl.whyNoGroup')
        : t('accessControl.whyGroup', { group: group ?? t('accessControl.gone') })}{' '}
      {names.length === 0
        ? t('accessControl.whyNoRoles')
        : t('accessControl.whyRoles', {
            roles: new Intl.ListFormat(localeTag()).format(names.map(({ label }) => label)),
          })}
    </>
  );
}
