const KEY = 'albedo.menu';
/** From this width on the menu is open until somebody closes it. */
const ROOMY_PX = 1024;

/** Whether the left menu of a wide screen is open, as this browser remembers it. */
export function isMenuOpen(): boolean {
  const kept = localStorage.getItem(KEY);
  return kept === null ? window.innerWidth >= ROOMY_PX : kept === 'open';
}

export function rememberMenu(isOpen: boolean): void {
  localStorage.setItem(KEY, isOpen ? 'open' : 'closed');
}
