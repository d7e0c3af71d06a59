import { z } from 'zod';
import { ONE_LINE } from '../http/one-line.ts';
import { formulaText } from '../telemetry/telemetry.schema.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';

/** A formula as it is written. */
export const newFormula = formulaText.extend({
  title: z
    .string()
    .trim()
    .min(1, 'Required')
    .max(120)
    .regex(...ONE_LINE),
});
export type NewFormula = z.output<typeof newFormula>;

export const formula = newFormula.extend({
  _id: z.uuid(),
  /** The unit of the result; empty for a plain number. */
  resultUnit: z.string(),
  /** The workgroup it is shared with; absent where it is personal. */
  orgRef: z.string().optional(),
  /** Whether the caller may change, share and delete it. */
  shareable: z.boolean(),
});
export type Formula = z.infer<typeof formula>;

export const onFormula = inWorkgroup.extend({ formula: z.uuid() });
