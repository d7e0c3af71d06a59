import type { RequestIssue } from '@albedo/contract/http/issues';
import type { Language } from '@albedo/contract/settings/settings.schema';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import de from '../locales/de/public.json' with { type: 'json' };
import en from '../locales/en/public.json' with { type: 'json' };
import es from '../locales/es/public.json' with { type: 'json' };
import { setLocale } from '../ui/units/locale.ts';
import { browserLanguage, knownLanguage, LANGUAGE_KEY, wantedLanguage } from './language.ts';

interface Texts {
  /** Texts of the pages that anybody can open; so few that they wait for no request of their own. */
  open: object;
  /** What the first screens behind sign-in show, by file. */
  first: () => Promise<{ texts: object }>;
  /** All other texts, by file. */
  rest: () => Promise<{ texts: object }>;
  /** What the server's failures are called; in English the server says it itself. */
  errors: () => Promise<{ texts: object }>;
}

/** Languages the app speaks: what signing in needs is at hand, the rest comes with the shell. */
const languages: Record<Language, Texts> = {
  en: {
    open: en,
    first: () => import('../locales/en.first.ts'),
    rest: () => import('../locales/en.ts'),
    errors: async () => ({ texts: {} }),
  },
  de: {
    open: de,
    first: () => import('../locales/de.first.ts'),
    rest: () => import('../locales/de.ts'),
    errors: () => import('../locales/de.errors.ts'),
  },
  es: {
    open: es,
    first: () => import('../locales/es.first.ts'),
    rest: () => import('../locales/es.ts'),
    errors: () => import('../locales/es.errors.ts'),
  },
};

const NAMESPACE = 'translation';
/** Told when texts came that something shows already, by their keys. */
const LATE = 'textsCameLate';
/** Whether a text was asked for before it came. */
let isMissed = false;
const loaded = new Map<string, Promise<void>>();
let needsRest = false;

/** The language that texts are shown in. */
export const currentLanguage = (): Language => knownLanguage(i18next.language) ?? 'en';

/** Loads the public texts of the chosen language, else the browser's, else English, before anything is shown. */
export async function startTranslation(): Promise<void> {
  const lng = wantedLanguage();
  await i18next.use(initReactI18next).init({
    lng,
    fallbackLng: 'en',
    resources: {},
    interpolation: { escapeValue: false },
    returnNull: false,
    saveMissing: true,
    missingKeyHandler: () => {
      isMissed = true;
    },
    // Texts that nobody waited for draw nothing again.
    react: { bindI18n: `languageChanged ${LATE}`, bindI18nStore: '' },
  });
  await load(lng, 'open');
  show(lng);
}

/**
 * Shows everything in this language at once, and the next visit with it; without one in the browser's. Errors: when the
 * texts cannot be loaded; the language stays as it is then.
 */
export async function chooseLanguage(wanted: Language | undefined): Promise<void> {
  const lng = wanted ?? browserLanguage();
  await Promise.all([load(lng, 'open'), needsRest ? loadRest(lng) : null]);
  if (wanted) localStorage.setItem(LANGUAGE_KEY, wanted);
  else localStorage.removeItem(LANGUAGE_KEY);
  if (lng === i18next.language) return;
  show(lng);
  await i18next.changeLanguage(lng);
}

/** Loads the texts of the pages behind sign-in, once. */
export function loadAllTexts(): Promise<void> {
  needsRest = true;
  return loadRest(currentLanguage());
}

/** Loads what the first screens show; the rest waits for `loadMoreTexts`. */
export function loadFirstTexts(): Promise<void> {
  needsRest = true;
  return load(currentLanguage(), 'first');
}

/** Loads what the first screens left out: what they open shows it when it is there. Does nothing before sign-in. */
export async function loadMoreTexts(): Promise<void> {
  if (needsRest) await loadRest(currentLanguage()).catch(() => {});
}

/** Includes the words for failures, which forms need at once; if they cannot be loaded, failures show in English. */
async function loadRest(language: Language): Promise<void> {
  await Promise.all([load(language, 'first'), load(language, 'rest'), loadFailureTexts(language)]);
}

/** Loads what failures and faults are called; where that fails they are told in English. */
export const loadFailureTexts = (language: Language = currentLanguage()): Promise<void> =>
  load(language, 'errors').catch(() => {});

/** What a failure says: its English sentence, and what it takes to say it in another language. */
export interface Told {
  message: string;
  /** Its name in the catalogue; without one it shows in English. */
  error?: string | null | undefined;
  facts?: Readonly<Record<string, string>> | undefined;
  issues?: readonly RequestIssue[] | undefined;
}

/** The sentence of a failure in the user's language. */
export async function failureInWords({ message, error, facts = {}, issues = [] }: Told): Promise<string> {
  if (currentLanguage() === 'en' || !error) return message;
  // The two facts that tell what is wrong with fields.
  const said = issues.length > 0 ? await issuesInWords(issues) : null;
  return failureText(error, said === null ? facts : { ...facts, what: said, why: said }, message);
}

/** The sentence for a failure of the catalogue in the user's language; the server's where there is none. */
async function failureText(
  error: string,
  facts: Readonly<Record<string, string>>,
  original: string,
): Promise<string> {
  // Without a connection to load the words, the failure in English is better than a second failure.
  await load(currentLanguage(), 'errors').catch(() => {});
  return i18next.t(`errors.${error}`, { ...inWords(facts), defaultValue: original });
}

/** As `failureText`, at once: for what follows a failure of the server, and for forms, whose texts are there by then. */
export const knownFailureText = (
  error: string,
  original: string,
  facts: Readonly<Record<string, string>> = {},
): string => i18next.t(`errors.${error}`, { ...facts, defaultValue: original });

const RESOURCES: Readonly<Record<string, string>> = { dashboards: 'Dashboard', entities: 'Entity' };

/** Facts that are words of ours, and the key of each in the texts. */
const WORDS: Readonly<Record<string, (word: string) => string>> = {
  missing: (word) =>
    word.startsWith('the role ') ? `members.roles.${word.slice(9)}` : `members.permission.${word}`,
  action: (word) => `accessControl.actions.${word}`,
  resource: (word) => `accessControl.resources.${RESOURCES[word] ?? 'DeviceCommand'}`,
};

function inWords(facts: Readonly<Record<string, string>>): Record<string, string> {
  const said = Object.entries(facts).map(([name, value]) => {
    const keyOf = WORDS[name];
    const words = value
      .split(', ')
      .map((word) => (keyOf ? i18next.t(keyOf(word), { defaultValue: word }) : word));
    return [name, words.join(', ')];
  });
  return Object.fromEntries(said);
}

/** What is wrong with which field in the user's language: `Name: Pflichtfeld; E-Mail: …`. */
async function issuesInWords(issues: readonly RequestIssue[]): Promise<string> {
  await load(currentLanguage(), 'errors').catch(() => {});
  const sentences = issues.map(({ path, message, issue, facts }) => {
    const sentence = issue ? knownFailureText(issue, message, facts) : message;
    // The entries of a list are called by the list.
    const name = path.split('.').findLast((part) => !/^\d+$/.test(part));
    const field = knownFailureText(`field.${name}`, path);
    return field === '' ? sentence : `${field}: ${sentence}`;
  });
  return sentences.join('; ');
}

function show(language: Language): void {
  document.documentElement.lang = language;
  setLocale(language);
}

/** Loads a part of the texts once; after a failure the next caller tries again. */
function load(language: Language, part: keyof Texts): Promise<void> {
  const key = `${language} ${part}`;
  const loading = loaded.get(key) ?? add(language, part);
  loaded.set(key, loading);
  loading.catch(() => loaded.delete(key));
  return loading;
}

async function add(language: Language, part: keyof Texts): Promise<void> {
  const some = languages[language][part];
  const { texts } = typeof some === 'function' ? await some() : { texts: some };
  i18next.addResourceBundle(language, NAMESPACE, texts, true, true);
  if (!isMissed) return;
  isMissed = false;
  i18next.emit(LATE);
}
