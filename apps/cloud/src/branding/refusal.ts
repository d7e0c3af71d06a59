import { AppError } from '../http/app-error.ts';

/** An image that cannot be used, with the reason as a sentence. */
export const refusal = (why: string): AppError => new AppError('branding.image_invalid', { why });
