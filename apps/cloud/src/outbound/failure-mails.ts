import type { MemberInfo } from '@albedo/contract/members/members.schema';
import type { Language } from '@albedo/contract/settings/settings.schema';
import type { Mailer } from '../mail/mail.service.ts';
import type { FailureKind } from './webhook-calls.ts';

/** What failed, as a mail names it, and the page that shows it. */
export interface FailurePage {
  path: string;
  /** `thing` begins a sentence, such as `The webhook`; `open` is the text of the link. */
  words: Record<Language, { thing: string; open: string }>;
}

/** Only what the mails need: this room may not know the features whose services these are. */
interface Parts {
  members: { list: (workgroup: string) => Promise<MemberInfo[]> };
  mailer: Pick<Mailer, 'send'>;
  settings: { languageOfAddress: (email: string) => Promise<Language> };
  workgroups: { get: (workgroup: string) => Promise<{ displayName: string }> };
  publicUrl: () => string;
}

/** Mails the owners and coordinators of a workgroup that one of its webhooks fails or was turned off. */
export const failureMails =
  ({ workgroups, members, mailer, settings, publicUrl }: Parts, page: FailurePage) =>
  async (
    { workgroup, name }: { workgroup: string; name: string },
    kind: FailureKind,
    error: string,
  ): Promise<void> => {
    const { displayName } = await workgroups.get(workgroup);
    const people = (await members.list(workgroup)).filter(
      ({ role, permissions, devGroup }) =>
        devGroup === null && (role === 'owner' || permissions.includes('coordinate')),
    );
    for (const { email: to } of people)
      mailer.send(async () => {
        const language = await settings.languageOfAddress(to);
        const { thing, open } = page.words[language];
        const words = WORDS[language];
        const subject = words[kind](`${thing} ${name}`, displayName);
        return {
          ...{ to, language, workgroup, subject },
          paragraphs: [subject, `${words.last}: ${error}`],
          action: { text: open, url: `${publicUrl()}${page.path}` },
        };
      });
  };

const WORDS = {
  en: {
    failing: (thing: string, workgroup: string) => `${thing} of ${workgroup} has failed for a day`,
    off: (thing: string, workgroup: string) =>
      `${thing} of ${workgroup} was turned off: it failed for five days`,
    gone: (thing: string, workgroup: string) =>
      `${thing} of ${workgroup} was turned off: it says that it is gone`,
    last: 'Last error',
  },
  de: {
    failing: (thing: string, workgroup: string) => `${thing} von ${workgroup} schlägt seit einem Tag fehl`,
    off: (thing: string, workgroup: string) =>
      `${thing} von ${workgroup} wurde abgeschaltet: Er schlug fünf Tage lang fehl`,
    gone: (thing: string, workgroup: string) =>
      `${thing} von ${workgroup} wurde abgeschaltet: Es gibt ihn dort nicht mehr`,
    last: 'Letzter Fehler',
  },
  es: {
    failing: (thing: string, workgroup: string) => `${thing} de ${workgroup} falla desde hace un día`,
    off: (thing: string, workgroup: string) =>
      `${thing} de ${workgroup} se ha desactivado: falló durante cinco días`,
    gone: (thing: string, workgroup: string) => `${thing} de ${workgroup} se ha desactivado: ya no existe`,
    last: 'Último error',
  },
} satisfies Record<Language, unknown>;
