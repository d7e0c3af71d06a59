import type { Language } from '@albedo/contract/settings/settings.schema';
import de from '../locales/de/public.json' with { type: 'json' };
import en from '../locales/en/public.json' with { type: 'json' };
import es from '../locales/es/public.json' with { type: 'json' };
import { wearBrand } from './first-brand.ts';
import type { Handover } from './handover.ts';
import { wantedLanguage } from './language.ts';

const TEXTS: Record<Language, typeof en> = { en, de, es };

/**
 * The sign-in card as index.html has it: a form that can be read and filled in before the app is there. The app draws
 * the same card in its place.
 */
export class FirstCard {
  readonly #card: HTMLElement;

  constructor(card: HTMLElement) {
    this.#card = card;
  }

  /** Puts in the words of the visitor's language, and what the host is called and looks like. */
  show(email: string): void {
    const language = wantedLanguage();
    const texts = TEXTS[language];
    document.documentElement.lang = language;
    dress(this.#card);
    const { login } = texts;
    for (const element of this.#card.querySelectorAll<HTMLElement>('[data-text]'))
      element.textContent = login[element.dataset.text as keyof typeof login];
    const section = this.#card.querySelector('section');
    section?.setAttribute('aria-label', login.title);
    this.#toggle.setAttribute('aria-label', login.showPassword);
    document.title = `${login.title} · ${document.title}`;
    this.#card.hidden = false;
    const { email: emailField, password } = this.#fields;
    emailField.value = email;
    (email === '' ? emailField : password).focus();
    this.#toggle.addEventListener('click', () => this.#showPassword());
  }

  /** Tells what the visitor chooses, and that they do something at all. */
  follow(told: { onWish: (wish: NonNullable<Handover['wish']>) => void; onTouched: () => void }): void {
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#failure.textContent = '';
      this.#setBusy(true);
      told.onWish('send');
    });
    for (const button of this.#wishes)
      button.addEventListener('click', () => {
        // What is typed now would be meant for the form to come.
        this.#disable(true);
        button.setAttribute('aria-busy', 'true');
        told.onWish(button.dataset.wish as 'forgot' | 'saml');
      });
    for (const kind of ['pointerdown', 'keydown', 'input'])
      this.#card.addEventListener(kind, told.onTouched, { once: true, passive: true });
  }

  /** What stands in the form by now. */
  state(wish: Handover['wish']): Handover {
    const { email, password } = this.#fields;
    const { activeElement } = document;
    const field = activeElement === password ? 'password' : activeElement === email ? 'email' : null;
    return { email: email.value, password: password.value, field, wish };
  }

  /** The app could not be loaded. */
  fail(): void {
    this.#disable(false);
    for (const button of this.#wishes) button.removeAttribute('aria-busy');
    this.#setBusy(false);
    this.#failure.textContent = TEXTS[wantedLanguage()].crashed.unreachable;
  }

  get #form(): HTMLFormElement {
    return this.#card.querySelector('form') as HTMLFormElement;
  }

  get #fields() {
    const { email, password } = this.#form.elements as unknown as Record<string, HTMLInputElement>;
    return { email, password } as { email: HTMLInputElement; password: HTMLInputElement };
  }

  get #wishes(): NodeListOf<HTMLButtonElement> {
    return this.#card.querySelectorAll<HTMLButtonElement>('[data-wish]');
  }

  get #toggle(): HTMLButtonElement {
    return this.#card.querySelector('[data-toggle]') as HTMLButtonElement;
  }

  get #failure(): HTMLElement {
    return this.#card.querySelector('[role=alert]') as HTMLElement;
  }

  #disable(isDisabled: boolean): void {
    const { email, password } = this.#fields;
    const submit = this.#card.querySelector('[type=submit]') as HTMLButtonElement;
    for (const control of [email, password, submit, ...this.#wishes]) control.disabled = isDisabled;
  }

  #setBusy(isBusy: boolean): void {
    const submit = this.#card.querySelector('[type=submit]') as HTMLButtonElement;
    submit.disabled = isBusy;
    submit.setAttribute('aria-busy', String(isBusy));
  }

  #showPassword(): void {
    const { password } = this.#fields;
    const isShown = password.type === 'password';
    password.type = isShown ? 'text' : 'password';
    this.#toggle.setAttribute('aria-pressed', String(isShown));
  }
}

/** The card in the brand and scheme of `wearBrand`, with the name and logo of the host. */
function dress(card: HTMLElement): void {
  const brand = wearBrand();
  if (!brand) return;
  const { theme, images } = brand;
  const name = theme.serviceName || document.title;
  const title = card.querySelector('h1');
  if (title) title.textContent = name;
  document.title = theme.title || name;
  if (images.logo === undefined) return;
  const logo = new Image();
  logo.alt = '';
  logo.src = `/api/v1/branding/logo?v=${images.logo}`;
  card.querySelector('[data-mark]')?.replaceChildren(logo);
}
