import type { UsersStore } from './users.store.ts';

/** How many of the staff are mailed. */
const MAILED = 20;

/** The provider's staff: users with an address of one of its e-mail domains. */
export class Staff {
  readonly #store: UsersStore;
  readonly #config: { staffDomains: string[]; ownerEmail: string };

  constructor(store: UsersStore, config: { staffDomains: string[]; ownerEmail: string }) {
    this.#store = store;
    this.#config = config;
  }

  /** Whom to mail what the staff should hear of: the first owner where there is no staff. */
  async addresses(): Promise<string[]> {
    const { staffDomains, ownerEmail } = this.#config;
    const staff = await this.#store.addressesIn(staffDomains, MAILED);
    return staff.length > 0 ? staff : [ownerEmail];
  }
}
