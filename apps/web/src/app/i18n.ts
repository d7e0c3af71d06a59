import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

interface Language {
  /** Texts of the pages that anybody can open. */
  open: () => Promise<{ default: object }>;
  /** All other texts, by file. */
  rest: () => Promise<{ texts: Record<string, object> }>;
}

/** Languages the app speaks, loaded on demand: what signing in needs comes first, the rest with the shell. */
const languages: Record<string, Language> = {
  en: {
    open: () => import('../locales/en/public.json'),
    rest: () => import('../locales/en.ts'),
  },
};

const NAMESPACE = 'translation';
let rest: Promise<void> | null = null;

/** Loads the public texts of the browser's language, or English, before anything is shown. */
export async function startTranslation(): Promise<void> {
  const language = navigator.languages.map((tag) => tag.split('-')[0] ?? '').find((tag) => languages[tag]);
  const lng = language ?? 'en';
  const texts = await languages[lng]?.open();
  document.documentElement.lang = lng;
  await i18next.use(initReactI18next).init({
    lng,
    fallbackLng: 'en',
    resources: { [lng]: { [NAMESPACE]: texts?.default ?? {} } },
    interpolation: { escapeValue: false },
    returnNull: false,
    react: { bindI18nStore: 'added' },
  });
}

/** Loads the texts of the pages behind sign-in, once. */
export function loadAllTexts(): Promise<void> {
  rest ??= addRest().catch((error: unknown) => {
    rest = null;
    throw error;
  });
  return rest;
}

async function addRest(): Promise<void> {
  const rest = await languages[i18next.language]?.rest();
  i18next.addResourceBundle(i18next.language, NAMESPACE, byKey(rest?.texts ?? {}), true, true);
}

/** Texts under the names of their files. */
export function byKey(files: Record<string, object>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(files).map(([path, texts]) => [path.replace(/^.*\/|\.json$/g, ''), texts]),
  );
}
