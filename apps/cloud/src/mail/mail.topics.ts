import { topic } from '../bus/topic.ts';

/** A mail with a reference was taken by the mail server, or never will be; `error` is null where it was. */
export const mailEnded = topic<{ workgroup: string; reference: string; error: string | null }>('mail:ended', {
  reach: 'process',
});
