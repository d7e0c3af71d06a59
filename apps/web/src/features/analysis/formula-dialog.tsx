import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { type Formula, newFormula } from '@albedo/contract/formulae/formulae.schema';
import type { FormulaInput } from '@albedo/contract/telemetry/telemetry.schema';
import { checkExpression } from '@albedo/expressions/check';
import type { Fault } from '@albedo/expressions/faults';
import { Button, Group, Modal, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { unitsOf } from '../../app/series/source-groups.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { removeFormula, saveFormula, shareFormula } from '../formulae/formulae.queries.ts';
import { useTables } from '../telemetry/telemetry.queries.ts';
import { analysisLineToText, type StreamLine } from './analysis-lines.ts';
import classes from './formula-list.module.css';

interface FormulaDialogProps {
  /** Null makes a new one. */
  formula: Formula | null;
  /** The fields that are ticked, which a new formula begins with. */
  streams: readonly StreamLine[];
  devices: readonly DeviceSummary[];
  onClose: () => void;
  onSaved: (id: string) => void;
  onRemoved: (id: string) => void;
}

/** Writes a formula; what is wrong with it is said at its character while it is written. */
export function FormulaDialog({
  formula,
  streams,
  devices,
  onClose,
  onSaved,
  onRemoved,
}: FormulaDialogProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [isShared, setShared] = useState(formula?.orgRef !== undefined);
  const mayChange = formula?.shareable ?? true;
  const { values, set, field, dialog } = useContractForm({
    schema: newFormula,
    initial: formula
      ? {
          title: formula.title,
          expression: formula.expression,
          unit: formula.unit ?? '',
          inputs: formula.inputs,
        }
      : { title: '', expression: '', unit: '', inputs: inputsOf(streams) },
    send: async (body) => {
      const saved = await saveFormula(wg, formula?._id ?? null, body);
      if (isShared !== (saved.orgRef !== undefined)) await shareFormula(wg, saved._id, isShared);
      onSaved(saved._id);
      onClose();
    },
  });
  const removal = useAttempt();
  const remove = (id: string) =>
    removal.attempt(async () => {
      await removeFormula(wg, id);
      onRemoved(id);
      onClose();
    });
  const { expression, unit, inputs = [] } = values;
  const { byName: tables } = useTables(wg, [...new Set(inputs.map(({ table }) => table))]);
  const units = useMemo(
    () => new Map(inputs.map(({ name, table, field }) => [name, unitsOf(tables, table, field)])),
    [inputs, tables],
  );
  const checked = useMemo(
    () => (expression.trim() === '' ? null : checkExpression(expression, units, { unit: unit || null })),
    [expression, units, unit],
  );
  const streamName = ({ device, source, field: of }: FormulaInput) =>
    `${devices.find(({ id }) => id === device)?.name ?? device} / ${source} / ${of}`;
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={formula ? t('analysis.formulas.change') : t('analysis.formulas.new')}
    >
      <form onSubmit={dialog.onSubmit} noValidate>
        <Stack gap={12}>
          <TextInput {...field('title')} label={t('analysis.formulas.name')} disabled={!mayChange} />
          {inputs.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('analysis.formulas.noInputs')}
            </Text>
          ) : (
            <table className={classes.inputs} aria-label={t('analysis.formulas.inputs')}>
              <tbody>
                {inputs.map((input, i) => (
                  <tr key={`${analysisLineToText(input)} ${input.field}`}>
                    <td>
                      <TextInput
                        size="xs"
                        w={110}
                        aria-label={t('analysis.formulas.nameOf', { stream: streamName(input) })}
                        disabled={!mayChange}
                        value={input.name}
                        onChange={(event) => {
                          const name = event.currentTarget.value;
                          set({ inputs: inputs.map((one, n) => (n === i ? { ...one, name } : one)) });
                        }}
                      />
                    </td>
                    <td>{streamName(input)}</td>
                    <td className={classes.units}>{units.get(input.name)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          <Textarea
            {...field('expression')}
            label={t('analysis.formulas.expression')}
            description={t('analysis.formulas.language')}
            autosize
            minRows={2}
            maxRows={8}
            spellCheck={false}
            disabled={!mayChange}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
          {checked?.fault ? (
            <Wrong fault={checked.fault} text={expression} />
          ) : checked ? (
            <Text size="sm" c="dimmed" role="status">
              {checked.expression.unit === ''
                ? t('analysis.formulas.plain')
                : t('analysis.formulas.result', { unit: checked.expression.unit })}
            </Text>
          ) : null}
          <TextInput
            {...field('unit')}
            label={t('analysis.formulas.unit')}
            description={t('analysis.formulas.unitText')}
            w={200}
            disabled={!mayChange}
          />
          {mayChange ? (
            <Switch
              label={t('analysis.formulas.share')}
              checked={isShared}
              onChange={(event) => setShared(event.currentTarget.checked)}
            />
          ) : (
            <Text size="sm" c="dimmed">
              {t('analysis.formulas.ofAnother')}
            </Text>
          )}
          <Failure text={dialog.failure ?? removal.failure} />
          <Group justify="space-between">
            {formula && mayChange ? (
              <Button
                variant="subtle"
                color="red"
                loading={removal.isWorking}
                onClick={() => void remove(formula._id)}
              >
                {t('analysis.formulas.delete', { title: formula.title })}
              </Button>
            ) : (
              <span />
            )}
            <Group gap={8}>
              <Button variant="default" onClick={onClose}>
                {t('actions.cancel')}
              </Button>
              {mayChange ? (
                <Button type="submit" loading={dialog.isWorking} disabled={checked?.fault !== undefined}>
                  {t('actions.save')}
                </Button>
              ) : null}
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** What is wrong, with a mark below the characters at fault. */
function Wrong({ fault, text }: { fault: Fault; text: string }) {
  const { t } = useTranslation();
  const start = text.lastIndexOf('\n', fault.at - 1) + 1;
  const end = text.indexOf('\n', fault.at);
  const line = text.slice(start, end === -1 ? undefined : end);
  const length = Math.max(1, Math.min(fault.end, start + line.length) - fault.at);
  const what = t(`analysis.faults.${fault.code}`, fault.facts);
  return (
    <div role="alert">
      <pre className={classes.place}>{`${line}\n${' '.repeat(fault.at - start)}${'^'.repeat(length)}`}</pre>
      <Text size="sm">{t('analysis.formulas.at', { at: fault.at + 1, what })}</Text>
    </div>
  );
}

/** The ticked fields with short names: a, b, c, … */
const inputsOf = (streams: readonly StreamLine[]): FormulaInput[] =>
  streams.slice(0, 20).map((line, i) => ({ name: String.fromCharCode(97 + i), ...line }));
