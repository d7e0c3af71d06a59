import '@fontsource-variable/inter/wght.css';
import './app/first-card.css';
import { FirstCard } from './app/first-card.ts';
import { fetchScreen } from './app/first-files.ts';
import { showFirstShell } from './app/first-shell.ts';
import { isOutdated } from './app/first-version.ts';
import { type Handover, handOver } from './app/handover.ts';
import { wantedLanguage } from './app/language.ts';
import { isStaleAsset, reloadOnce } from './app/stale-assets.ts';

/** Under this key `session.ts` keeps the session. */
const TOKEN_KEY = 'albedo.token';
/** After this time the app takes the card over by itself, ms: it hears of new versions, and of other tabs. */
const TAKE_OVER_AFTER_MS = 30_000;
/** The card itself asks for a newer version after this time, ms: a page that was kept may be old from the start. */
const ASK_VERSION_AFTER_MS = 5000;

// Strict content security policies do not allow what zod would try, and browsers report the attempt.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

/** The texts of the first screens behind sign-in, which `i18n.ts` waits for. */
const TEXTS = {
  en: () => import('./locales/en.first.ts'),
  de: () => import('./locales/de.first.ts'),
  es: () => import('./locales/es.first.ts'),
};

/** Loads the app and answers what starts it. */
const loadApp = async () => (await import('./main.tsx')).startApp;

/** Texts and screen are fetched beside the app, not after it; where that fails, the app says so. */
function loadInside() {
  const app = loadInPieces();
  TEXTS[wantedLanguage()]().catch(() => {});
  fetchScreen(window.location.pathname);
  return app;
}

/** What index.html shows is painted before anything is evaluated. A page in the background paints nothing. */
const painted = (): Promise<unknown> =>
  document.hidden ? Promise.resolve() : new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

/**
 * The same for somebody who is signed in: all files come at once, with those of the screens (`fetched-together.ts`), and are
 * evaluated in tasks between which the browser paints and answers.
 */
async function loadInPieces() {
  for (const load of [
    () => import('./start/react.ts'),
    () => import('./start/mantine.ts'),
    () => import('./start/router.ts'),
  ]) {
    await load();
    await new Promise((done) => setTimeout(done));
  }
  return loadApp();
}

const card = document.getElementById('first');
const isSignIn = /^\/login\/?$/.test(window.location.pathname);
if (isSignIn && card && localStorage.getItem(TOKEN_KEY) === null) beginWithCard(new FirstCard(card));
else startAtOnce();

function startAtOnce(): void {
  const isSignedIn = localStorage.getItem(TOKEN_KEY) !== null;
  if (isSignedIn) {
    const waiting = document.getElementById('waiting');
    if (waiting) showFirstShell(waiting);
  }
  const app = isSignedIn ? painted().then(loadInside) : loadApp();
  app
    .then((startApp) => startApp())
    .catch((error: unknown) => {
      // Its files went with their release between the page and them.
      if (!(error instanceof Error && isStaleAsset(error) && reloadOnce())) reportError(error);
    });
}

/** The sign-in page is a form that works without the app, which comes once somebody uses it. */
function beginWithCard(first: FirstCard): void {
  first.show(new URLSearchParams(window.location.search).get('email') ?? '');
  let isOver = false;
  async function takeOver(wish: Handover['wish'], isOld = false): Promise<void> {
    if (isOver) return;
    try {
      const startApp = await loadApp();
      if (isOver) return;
      isOver = true;
      handOver(first.state(wish));
      await startApp(isOld);
    } catch (error) {
      if (error instanceof Error && isStaleAsset(error) && reloadOnce()) return;
      if (wish !== null) first.fail();
    }
  }
  const whenIdle = window.requestIdleCallback ?? ((task: () => void) => setTimeout(task, 200));
  first.follow({
    onWish: (wish) => void takeOver(wish),
    // Evaluated between two keys, it is there when the form is sent.
    onTouched: () => whenIdle(() => void loadApp().catch(() => {})),
  });
  setTimeout(() => void takeOver(null), TAKE_OVER_AFTER_MS);
  setTimeout(async () => {
    if (!isOver && (await isOutdated())) await takeOver(null, true);
  }, ASK_VERSION_AFTER_MS);
  // Somebody signs in in another tab.
  window.addEventListener('storage', () => void takeOver(null));
}
