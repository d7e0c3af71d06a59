import {
  type AccessAction,
  ALL_RESOURCES,
  RESOURCE_ACTIONS,
  type ResourceType,
} from '@albedo/contract/access/resources';
import {
  type AccessRule,
  type NewAccessRule,
  NO_PRINCIPAL,
  newAccessRule,
  type PrincipalType,
  principalType,
  type RuleEffect,
  resourceId,
  UNNAMED_PRINCIPALS,
} from '@albedo/contract/access-control/access-control.schema';
import { Checkbox, Group, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import classes from './access-control.module.css';
import { saveRule } from './access-control.queries.ts';
import { capital, ruleSentence } from './rule-sentence.ts';
import { usePrincipals } from './use-principals.ts';

const NEW_RULE: NewAccessRule = {
  resourceType: 'DeviceCommand',
  resourceId: ALL_RESOURCES,
  actions: ['run'],
  principalType: 'Workgroup_Users',
  principalId: NO_PRINCIPAL,
  effect: 'Allow',
};

/** Makes a rule, or changes one. The sentence below the fields says what it means. */
export function RuleDialog({ rule, onClose }: { rule: AccessRule | null; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const principals = usePrincipals();
  const {
    values: draft,
    set,
    field,
    faultOf,
    dialog,
  } = useContractForm({
    schema: newAccessRule,
    initial: rule ?? NEW_RULE,
    refusals: { 'access_rule.principal_unknown': 'principalId' },
    send: async (wanted) => {
      await saveRule(wg, rule?._id ?? null, wanted);
      notifyDone(t('accessControl.saved'));
      onClose();
    },
  });
  const isNamed = !UNNAMED_PRINCIPALS.includes(draft.principalType);
  const isAll = draft.resourceId === ALL_RESOURCES;
  const actions = RESOURCE_ACTIONS[draft.resourceType].filter((one) => isAll || one !== 'create');
  const isId = resourceId.safeParse(draft.resourceId).success;
  const isComplete = draft.actions.length > 0 && draft.principalId !== '' && isId;

  return (
    <FormDialog
      {...dialog}
      title={t(rule ? 'accessControl.change' : 'accessControl.new')}
      isDisabled={!isComplete}
      onClose={onClose}
    >
      <SegmentedControl
        fullWidth
        aria-label={t('accessControl.effect')}
        value={draft.effect}
        data={(['Allow', 'Deny'] as const).map((value) => ({
          value,
          label: t(`accessControl.effects.${value}`),
        }))}
        onChange={(effect) => set({ effect: effect as RuleEffect })}
      />
      <Select
        label={t('accessControl.principalType')}
        allowDeselect={false}
        value={draft.principalType}
        data={principalType.options.map((value) => ({ value, label: t(`accessControl.types.${value}`) }))}
        onChange={(type) =>
          type &&
          set({
            principalType: type as PrincipalType,
            principalId: UNNAMED_PRINCIPALS.includes(type as PrincipalType) ? NO_PRINCIPAL : '',
          })
        }
      />
      {isNamed ? (
        <Select
          label={t('accessControl.principal')}
          searchable
          allowDeselect={false}
          placeholder={t('accessControl.choose')}
          nothingFoundMessage={t('accessControl.nothingToChoose')}
          value={draft.principalId || null}
          error={faultOf('principalId')}
          data={principals.choices(draft.principalType)}
          onChange={(principalId) => principalId && set({ principalId })}
        />
      ) : null}
      <Select
        label={t('accessControl.resourceType')}
        allowDeselect={false}
        value={draft.resourceType}
        data={(Object.keys(RESOURCE_ACTIONS) as ResourceType[]).map((value) => ({
          value,
          label: t(`accessControl.resources.${value}`),
        }))}
        onChange={(type) => type && set({ resourceType: type as ResourceType, actions: [] })}
      />
      <Checkbox
        label={capital(t(`accessControl.every.${draft.resourceType}`))}
        checked={isAll}
        onChange={(event) =>
          set({
            resourceId: event.currentTarget.checked ? ALL_RESOURCES : '',
            actions: draft.actions.filter((one) => one !== 'create'),
          })
        }
      />
      {isAll ? null : (
        <TextInput
          {...field('resourceId')}
          label={t('accessControl.resourceId')}
          description={t(`accessControl.resourceIdHelp.${draft.resourceType}`)}
          error={isId || draft.resourceId === '' ? faultOf('resourceId') : t('accessControl.resourceIdWrong')}
          maxLength={200}
          autoComplete="off"
        />
      )}
      <Checkbox.Group
        label={t('accessControl.action')}
        value={draft.actions}
        error={faultOf('actions')}
        onChange={(values) => set({ actions: values as AccessAction[] })}
      >
        <Group gap="md" mt={8}>
          {actions.map((one) => (
            <Checkbox key={one} value={one} label={capital(t(`accessControl.actions.${one}`))} />
          ))}
        </Group>
      </Checkbox.Group>
      <p className={classes.note} aria-live="polite">
        {isComplete ? ruleSentence(t, draft, principals) : t('accessControl.incomplete')}
      </p>
    </FormDialog>
  );
}
