import type { Language } from '@albedo/contract/settings/settings.schema';
import type { Mail } from '../mail/mail.service.ts';

/** What a mail about control is about. */
export interface Told {
  what: 'approve' | 'alone' | 'policy';
  by: string;
  /** Display name of the workgroup. */
  workgroup: string;
  /** Of the device and its setpoint; what the policy is now. */
  about: string;
  reason: string | null;
  /** Path on our server. */
  path: string;
  publicUrl: string;
}

type Words = Record<Told['what'], (told: Told) => { subject: string; paragraphs: string[]; button: string }>;

const LETTERS: Record<Language, Words> = {
  en: {
    approve: ({ by, workgroup, about }) => ({
      subject: `${by} asks you to approve a setpoint`,
      paragraphs: [
        'Hello,',
        `${by} wants to apply a schedule in the workgroup ${workgroup}: ${about}.`,
        'Approve or refuse it within a day. Approving asks you to confirm that it is you.',
      ],
      button: 'Open the schedule',
    }),
    alone: ({ by, workgroup, about }) => ({
      subject: `${by} applied a setpoint alone`,
      paragraphs: [
        'Hello,',
        `${by} is the only one who may control devices in the workgroup ${workgroup}, and approved alone: ${about}.`,
        'You get this mail as an owner.',
      ],
      button: 'Open the schedule',
    }),
    policy: ({ by, workgroup, about }) => ({
      subject: `Who approves setpoints has changed`,
      paragraphs: [
        'Hello,',
        `${by} changed when a second person has to approve setpoints in the workgroup ${workgroup}: ${about}.`,
        'You get this mail as an owner.',
      ],
      button: 'Open the schedules',
    }),
  },
  de: {
    approve: ({ by, workgroup, about }) => ({
      subject: `${by} bittet um Zustimmung zu einem Sollwert`,
      paragraphs: [
        'Guten Tag,',
        `${by} möchte in der Arbeitsgruppe ${workgroup} einen Fahrplan anwenden: ${about}.`,
        'Stimmen Sie innerhalb eines Tages zu oder lehnen Sie ab. Beim Zustimmen bestätigen Sie, dass Sie es sind.',
      ],
      button: 'Fahrplan öffnen',
    }),
    alone: ({ by, workgroup, about }) => ({
      subject: `${by} hat einen Sollwert allein angewendet`,
      paragraphs: [
        'Guten Tag,',
        `Nur ${by} darf in der Arbeitsgruppe ${workgroup} Geräte steuern und hat allein zugestimmt: ${about}.`,
        'Sie erhalten diese Nachricht, weil Sie Eigentümer sind.',
      ],
      button: 'Fahrplan öffnen',
    }),
    policy: ({ by, workgroup, about }) => ({
      subject: 'Wer Sollwerten zustimmt, hat sich geändert',
      paragraphs: [
        'Guten Tag,',
        `${by} hat geändert, wann in der Arbeitsgruppe ${workgroup} eine zweite Person Sollwerten zustimmen muss: ${about}.`,
        'Sie erhalten diese Nachricht, weil Sie Eigentümer sind.',
      ],
      button: 'Fahrpläne öffnen',
    }),
  },
  es: {
    approve: ({ by, workgroup, about }) => ({
      subject: `${by} le pide que apruebe una consigna`,
      paragraphs: [
        'Hola:',
        `${by} quiere aplicar un programa en el grupo de trabajo ${workgroup}: ${about}.`,
        'Apruébelo o rechácelo en el plazo de un día. Al aprobarlo confirma que es usted.',
      ],
      button: 'Abrir el programa',
    }),
    alone: ({ by, workgroup, about }) => ({
      subject: `${by} ha aplicado una consigna en solitario`,
      paragraphs: [
        'Hola:',
        `Solo ${by} puede controlar dispositivos en el grupo de trabajo ${workgroup} y lo ha aprobado en solitario: ${about}.`,
        'Recibe este correo por ser propietario.',
      ],
      button: 'Abrir el programa',
    }),
    policy: ({ by, workgroup, about }) => ({
      subject: 'Ha cambiado quién aprueba las consignas',
      paragraphs: [
        'Hola:',
        `${by} ha cambiado cuándo debe aprobar las consignas una segunda persona en el grupo de trabajo ${workgroup}: ${about}.`,
        'Recibe este correo por ser propietario.',
      ],
      button: 'Abrir los programas',
    }),
  },
};

/** What was typed as the reason stands in it as plain text. */
export function controlMail(to: string, language: Language, told: Told): Mail {
  const { button, ...letter } = LETTERS[language][told.what](told);
  const quote = told.reason === null ? {} : { quote: told.reason };
  return {
    to,
    language,
    ...letter,
    ...quote,
    action: { text: button, url: `${told.publicUrl}${told.path}` },
  };
}
