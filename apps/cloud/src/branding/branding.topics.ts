import { topic } from '../bus/topic.ts';

/** A host looks different now. */
export const hostBrandChanged = topic<{ host: string }>('branding:changed');
