import type { ErrorName } from '@albedo/contract/failures/errors';
import { useForm } from '@mantine/form';
import type { z } from 'zod';
import { messageOf } from '../ui/message-of.ts';
import { ApiError } from './call.ts';
import { faultsByPath, faultsOf, serverFaultsByPath, serverFaultsOf } from './faults.ts';
import { isOfInput, useSubmit } from './use-submit.ts';

interface ContractForm<V extends object, O> {
  /** The contract's schema of what is sent. */
  schema: z.ZodType<O, V>;
  initial: NoInfer<V>;
  /** Gets a way to change what stands in the fields, for what is done only in part or not to be left there. */
  send: (value: O, set: (part: Partial<V>) => void) => Promise<void>;
  /** The form has this field alone: what the server says of the input is about it. */
  onlyField?: keyof V & string;
  /** Fields that a refusal of the server is about, by its name. */
  refusals?: Partial<Record<ErrorName, keyof V & string>>;
  /** What a person may read about a failure, where that is not its own sentence. */
  wordsFor?: (error: unknown) => string | null;
}

/**
 * A form of what the contract takes: checked by its schema when it is sent, and what is wrong stands under the fields,
 * whether the schema or the server found it, until the field has another value. `failure` is what concerns no field.
 */
export function useContractForm<V extends object, O>({
  schema,
  initial,
  send,
  onlyField,
  refusals = {},
  wordsFor = messageOf,
}: ContractForm<V, O>) {
  const form = useForm<V>({
    initialValues: initial,
    // Not by `schemaResolver`, which would say it in English; nor by Mantine, which forgets all faults on a change.
    clearInputErrorOnChange: false,
  });
  const fields = Object.keys(initial);
  const set = (change: Partial<V> | ((now: V) => Partial<V>)) => {
    // Only the updater sees what was typed during a wait.
    const part = typeof change === 'function' ? change(form.getValues()) : change;
    const before = form.getValues();
    const after = { ...before, ...part };
    form.setValues(part);
    /** A field is new whatever it was given; of its parts, those that differ. */
    const isNew = (path: string) =>
      path in part || (path.includes('.') && partAt(before, path) !== partAt(after, path));
    form.setErrors((faults) => Object.fromEntries(Object.entries(faults).filter(([path]) => !isNew(path))));
  };

  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    form.clearErrors();
    const { data, error } = schema.safeParse(form.getValues());
    if (error) return form.setErrors({ ...faultsByPath(error), ...faultsOf(error, fields) });
    try {
      await send(data, set);
    } catch (refusal) {
      const faults = faultsIn(refusal);
      if (!faults) throw refusal;
      form.setErrors(faults);
    }
  }, wordsFor);

  /** What a failure says of the fields; null where it concerns none. */
  function faultsIn(refusal: unknown): Record<string, string> | null {
    const known = refusal instanceof ApiError ? refusal : null;
    const faults = known && serverFaultsOf(known, fields);
    const field = refusals[known?.error as ErrorName] ?? (isOfInput(refusal) ? onlyField : undefined);
    if (known && faults) return { ...serverFaultsByPath(known), ...faults };
    return faults ?? (field ? { [field]: wordsFor(refusal) ?? messageOf(refusal) } : null);
  }

  return {
    values: form.values,
    /** Changes some of the values. */
    set,
    /** Value, change and fault of a field, by the names that inputs have for them. */
    field: (name: keyof V & string) => {
      const { value, error, onChange } = form.getInputProps(name);
      return {
        value,
        error,
        onChange: (next: unknown) => {
          onChange(next);
          form.clearFieldError(name);
        },
      };
    },
    /** Looks at one field alone, as when somebody leaves it. */
    check: (name: keyof V & string) => {
      const fault = faultsOf(schema.safeParse(form.getValues()).error, fields)[name];
      if (fault) form.setFieldError(name, fault);
    },
    /** What is wrong with a field. */
    faultOf: (name: keyof V & string) => form.errors[name] as string | undefined,
    /** What is wrong with the parts of a field, by the path within it: `timeColumn`. */
    faultsWithin: (name: keyof V & string): Record<string, string> =>
      Object.fromEntries(
        Object.entries(form.errors as Record<string, string>).flatMap(([path, fault]) =>
          path.startsWith(`${name}.`) ? [[path.slice(name.length + 1), fault]] : [],
        ),
      ),
    /** For the dialog or the form around it. */
    dialog: { isWorking, failure, onSubmit: handleSubmit },
  };
}

/** What stands at a path such as `mapping.fields.0.name`. */
const partAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce((part, step) => (part as Record<string, unknown> | null | undefined)?.[step], value);
