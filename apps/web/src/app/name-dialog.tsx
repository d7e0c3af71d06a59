import { TextInput } from '@mantine/core';
import { z } from 'zod';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useContractForm } from './use-contract-form.ts';

interface NameDialogProps {
  title: string;
  label: string;
  /** What it is called now. */
  name: string;
  /** The contract's schema of the name. */
  schema: z.ZodType<string, string>;
  /** Nothing to save before it is another one. */
  mustChange?: boolean;
  onSave: (name: string) => Promise<void>;
  onClose: () => void;
}

/** Calls something by another name. */
export function NameDialog({ title, label, name, schema, mustChange, onSave, onClose }: NameDialogProps) {
  const { values, field, dialog } = useContractForm({
    schema: z.object({ name: schema }),
    initial: { name },
    onlyField: 'name',
    send: async (value) => {
      await onSave(value.name);
      onClose();
    },
  });
  const typed = values.name.trim();
  return (
    <FormDialog
      {...dialog}
      title={title}
      isDisabled={mustChange === true && (typed === '' || typed === name)}
      onClose={onClose}
    >
      <TextInput {...field('name')} data-autofocus label={label} maxLength={80} />
    </FormDialog>
  );
}
