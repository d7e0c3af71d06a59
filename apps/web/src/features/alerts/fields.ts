import {
  type NewAlert,
  type NewSuppression,
  newAlert,
  newSuppression,
} from '@albedo/contract/alerts/alerts.schema';
import type { z } from 'zod';
import type { useContractForm } from '../../app/use-contract-form.ts';

/** The form of an alert, as its parts use it. */
export type AlertForm = ReturnType<typeof useContractForm<NewAlert, NewAlert>>;

/** The schemas of what the forms hold: nothing of it is left out. */
export const alertSchema = newAlert as z.ZodType<NewAlert, NewAlert>;
export const suppressionSchema = newSuppression as z.ZodType<NewSuppression, NewSuppression>;

/** A number as a field has it: an empty one is null. */
export const numberIn = (value: number | string): number | null =>
  value === '' || !Number.isFinite(Number(value)) ? null : Number(value);
