import { useForm } from '@mantine/form';
import type { z } from 'zod';
import { ApiError } from './call.ts';
import { faultsOf, serverFaultsOf } from './faults.ts';
import { useSubmit } from './use-submit.ts';

interface ContractForm<V extends object, O> {
  /** The contract's schema of what is sent. */
  schema: z.ZodType<O, V>;
  initial: NoInfer<V>;
  send: (value: O) => Promise<void>;
  /** The form has this field alone: what the server says of the input is about it. */
  onlyField?: keyof V & string;
}

/**
 * A form of what the contract takes: checked by its schema when it is sent, and what is wrong stands under the fields,
 * whether the schema or the server found it. `failure` is what concerns no field.
 */
export function useContractForm<V extends object, O>({
  schema,
  initial,
  send,
  onlyField,
}: ContractForm<V, O>) {
  const form = useForm<V>({
    initialValues: initial,
    // Not by `schemaResolver`, which would say it in English.
    validate: (values) => faultsOf(schema.safeParse(values).error),
    clearInputErrorOnChange: false,
  });

  const { isWorking, failure, fault, trouble, handleSubmit } = useSubmit(async () => {
    form.clearErrors();
    const { data, error } = schema.safeParse(form.getValues());
    if (error) return form.setErrors(faultsOf(error));
    try {
      await send(data);
    } catch (refusal) {
      const faults = refusal instanceof ApiError ? serverFaultsOf(refusal, Object.keys(initial)) : null;
      if (!faults) throw refusal;
      form.setErrors(faults);
    }
  });

  return {
    values: form.values,
    /** Changes some of the values. */
    set: (part: Partial<V>) => form.setValues(part),
    /** Value, change and fault of a field, by the names that inputs have for them. */
    field: (name: keyof V & string) => {
      const { value, error, onChange } = form.getInputProps(name);
      return { value, onChange, error: error ?? (name === onlyField ? fault : undefined) };
    },
    /** For the dialog or the form around it. */
    dialog: { isWorking, failure: onlyField === undefined ? failure : trouble, onSubmit: handleSubmit },
  };
}
