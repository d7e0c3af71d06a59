import type { FollowResult } from '@albedo/contract/schedules/schedules.names';
import type { SetpointKind } from '@albedo/contract/schedules/setpoints';
import { messageOf } from '@albedo/plugin-kit/command-line/log';
import { ModbusError } from '@albedo/plugin-kit/modbus/modbus-error';
import { differences, encode, type Raw, readRaw, signedOf, type Target } from './channels.ts';
import { classOf, timerOf } from './config.ts';
import { type Inverter, isAsleep, type Seen } from './inverter.ts';
import type { ControlLine, Journal } from './journal.ts';
import type { KeptChannel, KeptInverter, KeptState, Written } from './kept-state.ts';
import { type Judged, verdictOf } from './verdict.ts';

export interface Wish {
  provider: string;
  /** As the provider says it, for the plant. */
  value: string;
  /** Epoch ms: with another one the same value is a new setpoint. */
  since: number | null;
  target: Target;
}

/** Whether it does what is wished, for whoever asks. */
export interface Standing {
  result: FollowResult;
  why: string;
  /** Another controller wrote over it. */
  isForeign: boolean;
}

const MOST_ATTEMPTS = 3;
/** Giving back is tried for ever, but not all the time. */
const RESTORE_AGAIN_MS = 30_000;
/** What was given up is tried once more now and then; what it had taken before much sooner, as its timer would let go. */
const TRY_AGAIN_MS = 15 * 60_000;
const RENEW_AGAIN_MS = 30_000;
/** What need not be said again. */
const UNRENEWED = /RmpTms$|Rvrt$|RvrtEna$|_?Mod$/;
const SETTLING = 'its power is given time to follow';
/** A timer may end a little before its time. */
const TIMER_SLACK_MS = 3000;

interface Round {
  now: number;
  /** It was looked at in this very round. */
  isSeenNow: boolean;
  seen: Seen;
  kept: KeptInverter;
  signal: AbortSignal;
}

/**
 * One kind of setpoint of one inverter: writes it, proves it, keeps it alive, and gives back what was there before.
 *
 * Rules: what was there is on the disk before the first write; another controller's write is told and left alone until
 * the setpoint changes; after three tries it says why and rests, but what its registers have taken is kept alive.
 */
export class ChannelControl {
  readonly #kind: SetpointKind;
  readonly #inverter: Inverter;
  readonly #state: KeptState;
  readonly #journal: Journal;
  /** The registers last tried, as a text. */
  #tried = '';
  /** Writes in a row that were refused, and that were taken without effect. */
  #refusals = 0;
  #unfollowed = 0;
  #tryAgainAt = 0;
  /** Its registers took what was last tried at some time. */
  #hasTaken = false;
  /** It slept or was out of reach since the last round. */
  #isBack = false;
  /** The plant's setpoint that another controller's write came in the way of, and the one that was last tried. */
  #foreign: string | null = null;
  #setpoint = '';
  #restoreAt = Number.NEGATIVE_INFINITY;
  #isToggling: boolean;
  #code: 6 | 16;
  #said: string | null = null;
  /** The newest judgement on its power, and what is wrong; null where nothing is. */
  #judged: Judged | null = null;
  #trouble: string | null = null;
  #couldMake = false;
  /** It may have slept or been out of reach since its registers were last ours, as it may after a start of this process. */
  #wasAway = true;

  constructor(kind: SetpointKind, inverter: Inverter, state: KeptState, journal: Journal) {
    this.#kind = kind;
    this.#inverter = inverter;
    this.#state = state;
    this.#journal = journal;
    this.#isToggling = inverter.config.toggle_enable;
    this.#code = inverter.config.function === 6 ? 6 : 16;
  }

  get code(): 6 | 16 {
    return this.#code;
  }

  away(): void {
    this.#wasAway = true;
    this.#isBack = true;
  }

  /** How it stands after a round, with or without a wish. */
  standing(isWished: boolean, channel: KeptChannel | undefined): Standing {
    if (this.#foreign !== null) return { result: 'notFollowed', why: this.#trouble ?? '', isForeign: true };
    const stands = (result: FollowResult, why: string): Standing => ({ result, why, isForeign: false });
    if (!isWished) {
      if (!channel) return stands('followed', '');
      return this.#trouble === null
        ? stands('notTestable', 'it is being given back what it had before')
        : stands('notFollowed', this.#trouble);
    }
    if (this.#trouble !== null && this.#judged?.verdict !== 'followed')
      return stands('notFollowed', this.#trouble);
    if (!channel?.written?.isConfirmed || !this.#judged) return stands('notTestable', 'it is being written');
    const { verdict, why } = this.#judged;
    return verdict === 'followed' ? stands('followed', '') : stands('notTestable', why);
  }

  /** One look at it; a null wish gives back what was there. */
  async round(wish: Wish | null, round: Round): Promise<void> {
    if (isAsleep(round.seen.measured)) this.away();
    const channel = round.kept.channels[this.#kind];
    const isOurs = channel?.written ? this.#watch(channel, round) : false;
    if (wish === null) return channel ? this.#giveBack(channel, round) : undefined;
    const { map, block, ratedW } = round.seen;
    const wanted = encode(wish.target, map, this.#inverter.config, block, ratedW);
    if (this.#foreign !== null) {
      if (this.#foreign === textOf(wish)) return;
      // What the other controller left is what was there before our next write.
      delete round.kept.channels[this.#kind];
      this.#foreign = null;
    }
    const setpoint = textOf(wish);
    if (setpoint !== this.#setpoint && this.#hasGivenUp) this.#beginAnew();
    this.#setpoint = setpoint;
    if (isOurs && channel?.written && isSame(channel.written.asked, wanted))
      this.#goesOn(wish, channel.written);
    const key = JSON.stringify(wanted);
    if (key !== this.#tried) {
      // After a start this may be what the process before has done.
      const isDone = this.#tried === '' && isOurs && isSame(channel?.written?.asked, wanted);
      this.#tried = key;
      this.#beginAnew();
      this.#hasTaken = isDone;
      this.#judged = null;
      if (!isDone) return this.#attempt(wish, wanted, round, 'write');
    }
    if (this.#isBack && !isAsleep(round.seen.measured)) {
      this.#isBack = false;
      if (this.#hasGivenUp) this.#beginAnew();
    }
    if (this.#hasGivenUp && round.now >= this.#tryAgainAt) {
      this.#refusals = Math.min(this.#refusals, MOST_ATTEMPTS - 1);
      this.#unfollowed = Math.min(this.#unfollowed, MOST_ATTEMPTS - 1);
      this.#said = null;
      return this.#attempt(wish, wanted, round, 'write');
    }
    if (this.#refusals >= MOST_ATTEMPTS) return;
    if (!channel?.written || !isOurs) return this.#attempt(wish, wanted, round, 'write');
    const { at, timerS } = channel.written;
    if (timerS > 0 && round.now >= at + (timerS * 1000) / 2)
      return this.#attempt(wish, wanted, round, 'renew');
    return this.#check(wish, channel, wanted, round);
  }

  /** The same registers by another setpoint: what is kept says whose they are now. */
  #goesOn({ provider, value, since }: Wish, written: Written): void {
    if (textOf({ provider, value, since }) === textOf(written)) return;
    Object.assign(written, { provider, value, since });
    this.#state.save();
  }

  get #hasGivenUp(): boolean {
    return Math.max(this.#refusals, this.#unfollowed) >= MOST_ATTEMPTS;
  }

  #beginAnew(): void {
    this.#refusals = 0;
    this.#unfollowed = 0;
    this.#said = null;
  }

  /** False where the registers are no longer what we wrote. */
  #watch(channel: KeptChannel, { now, seen }: Round): boolean {
    const { written, original } = channel;
    if (!written?.isConfirmed || this.#foreign !== null) return false;
    const found = readRaw(Object.keys(written.registers), seen.map, seen.block);
    const changed = differences(written.registers, found, seen.map);
    if (changed.length === 0) {
      if (!isAsleep(seen.measured)) this.#wasAway = false;
      return true;
    }
    const enable = seen.map.enables[this.#kind];
    const isTimeUp = written.timerS > 0 && now >= written.at + written.timerS * 1000 - TIMER_SLACK_MS;
    const isReleased = changed.length === 1 && changed[0] === enable && found[enable] === 0;
    const fallback = written.registers.WMaxLimPctRvrt;
    const isFallback = fallback !== undefined && found.WMaxLimPct === fallback;
    const line = { at: now, setpoint: this.#kind, powerW: seen.measured.powerW };
    if (isTimeUp && (isReleased || isFallback)) {
      this.#say({ ...line, action: 'over by its timer', result: isFallback ? 'fallback' : 'released' });
      return false;
    }
    const isForgotten =
      (this.#wasAway || isTimeUp) &&
      differences(
        original.registers,
        readRaw(Object.keys(original.registers), seen.map, seen.block),
        seen.map,
      ).length === 0;
    if (isForgotten) return false;
    this.#foreign = textOf(written);
    for (const name of changed)
      this.#say({
        ...line,
        action: 'foreign write',
        register: name,
        ...this.#numbers(name, { before: written.registers[name], readBack: found[name] }, seen),
      });
    const text = changed
      .map((name) => `${name} is ${found[name]} instead of ${written.registers[name]}`)
      .join(', ');
    this.#error(now, `another controller wrote: ${text}; it is left alone until the setpoint changes`);
    return false;
  }

  async #attempt(wish: Wish, wanted: Raw, round: Round, action: 'write' | 'renew'): Promise<void> {
    const { now, seen, kept, signal } = round;
    // It ends when that person is done, so it is no try.
    if (seen.isLocal) return this.#error(now, 'it is in local mode: somebody operates it at its panel');
    if (!round.isSeenNow && !kept.channels[this.#kind] && !(await this.#seesAgain(round))) return;
    const channel = this.#claimed(wanted, round);
    const found = readRaw(Object.keys(wanted), seen.map, seen.block);
    const isPersistent = classOf(this.#inverter.config, this.#kind) === 'persistent';
    const enable = seen.map.enables[this.#kind];
    const isEdge = this.#isToggling && found[enable] === 1 && action === 'write';
    // Of what does not wear the value, the timer and the enable are written each time: that is what renews them.
    const steps = Object.entries(wanted).filter(
      ([name, raw]) => isEdge || found[name] !== raw || (!isPersistent && !UNRENEWED.test(name)),
    );
    const order: [string, number][] = isEdge ? [[enable, 0], ...steps] : steps;
    const isLowering = this.#isLowering(wish.target, wanted, found, seen);
    if (isPersistent && !this.#spend(order, round, isLowering)) return;
    this.#couldMake = action === 'renew' ? this.#couldMake : this.#makesMore(wish.target, seen);
    const timerS = timerOf(this.#inverter.config, this.#kind);
    const { provider, value, since } = wish;
    const written = {
      at: now,
      asked: wanted,
      registers: wanted,
      timerS,
      isConfirmed: false,
      provider,
      value,
      since,
      ...(wish.target.kind === 'setpoint_activepower' ? { limitPct: wish.target.percent } : {}),
    };
    kept.channels[this.#kind] = { ...channel, written };
    this.#state.save();
    const line = { at: now, setpoint: this.#kind, provider: wish.provider, value: wish.value };
    try {
      for (const [name, raw] of order) {
        await this.#inverter.write(name, raw, seen.map, this.#code, signal);
        this.#say({
          ...line,
          action,
          register: name,
          code: this.#code,
          ...this.#numbers(name, { before: found[name], written: raw }, seen),
          ...(isPersistent ? { writesToday: kept.wear.writes[name] ?? 0 } : {}),
        });
      }
      seen.block = await this.#inverter.readBack(signal);
      const back = readRaw(Object.keys(wanted), seen.map, seen.block);
      const wrong = differences(wanted, back, seen.map);
      if (wrong.length > 0) {
        const text = wrong.map((name) => `${name} reads ${back[name]} instead of ${wanted[name]}`).join(', ');
        return this.#refused(now, `it answered that all is well, but ${text}`);
      }
      this.#refusals = 0;
      this.#hasTaken = true;
      kept.channels[this.#kind] = {
        ...channel,
        written: { ...written, registers: { ...wanted, ...back }, isConfirmed: true },
      };
      this.#state.save();
      if (this.#unfollowed === 0) this.#well();
    } catch (error) {
      if (signal.aborted) throw error;
      this.#refused(now, this.#reason(error));
    }
  }

  /** What was there before us is what is there now, not a moment ago. False where it does not answer, which is told at its look. */
  async #seesAgain({ seen, signal }: Round): Promise<boolean> {
    try {
      seen.block = await this.#inverter.readBack(signal);
      return true;
    } catch (error) {
      if (signal.aborted) throw error;
      return false;
    }
  }

  /** What was there before us, on the disk before anything is written. */
  #claimed(wanted: Raw, { now, seen, kept }: Round): KeptChannel {
    const channel = kept.channels[this.#kind];
    if (channel) {
      // A kind of the setpoint that writes to other registers than the one before.
      const missing = Object.keys(wanted).filter((name) => !(name in channel.original.registers));
      const more = readRaw(missing, seen.map, seen.block);
      return {
        ...channel,
        original: { ...channel.original, registers: { ...more, ...channel.original.registers } },
      };
    }
    const registers = readRaw(Object.keys(wanted), seen.map, seen.block);
    const isSet = registers[seen.map.enables[this.#kind]] === 1;
    const full = Math.round(100 / 10 ** seen.map.scales.limit);
    // Some come from the factory with a limit of 100 %.
    const isNeutral = !isSet || registers.WMaxLimPct === full;
    return {
      original: { at: now, owner: isNeutral ? 'inverter' : 'another controller', registers },
      written: null,
    };
  }

  /** A stop, or a limit below the one that holds. */
  #isLowering(target: Target, wanted: Raw, found: Raw, { map }: Seen): boolean {
    if (target.kind !== 'setpoint_activepower') return false;
    const isLimited = found[map.enables[this.#kind]] === 1;
    const held = isLimited ? (found.WMaxLimPct ?? 0) : Math.round(100 / 10 ** map.scales.limit);
    return target.percent === 0 || (wanted.WMaxLimPct ?? held) < held;
  }

  /** Counts writes to what wears before they happen; false when the day has had enough, which keeps nobody from lowering. */
  #spend(order: readonly [string, number][], { now, kept }: Round, isLowering: boolean): boolean {
    const day = new Date(now).toISOString().slice(0, 10);
    if (kept.wear.day !== day) kept.wear = { day, writes: {} };
    const { writes } = kept.wear;
    const most = this.#inverter.config.persistent_writes_a_day;
    for (const [name] of order) {
      if (isLowering || (writes[name] ?? 0) + 1 <= most) continue;
      this.#error(
        now,
        `${name} wears, and was written ${most} times today; it is not written again before midnight UTC`,
      );
      // Asked again at the next round, so that it goes on with the new day.
      this.#tried = ' ';
      return false;
    }
    for (const [name] of order) writes[name] = (writes[name] ?? 0) + 1;
    return true;
  }

  async #check(wish: Wish, channel: KeptChannel, wanted: Raw, round: Round): Promise<void> {
    const { now, seen } = round;
    const { ramp, settle } = this.#inverter.config;
    const settledAt = (channel.written?.at ?? now) + (ramp + settle) * 1000;
    // A renewal begins nothing that would have to settle.
    const isSettling = now < settledAt && (this.#said === null || this.#said === 'settling');
    this.#judged = verdictOf(wish.target, seen.measured, seen.ratedW, this.#couldMake);
    const said = isSettling ? 'settling' : this.#judged.verdict;
    // At its limit already it need not be waited for.
    if (isSettling && this.#judged.verdict !== 'followed')
      this.#judged = { verdict: 'not testable yet', why: SETTLING };
    this.#couldMake ||= this.#makesMore(wish.target, seen);
    if (said === this.#said) return;
    this.#said = said;
    this.#say({
      at: now,
      setpoint: this.#kind,
      provider: wish.provider,
      value: wish.value,
      action: 'check',
      result: said === 'settling' ? 'not testable yet' : said,
      powerW: seen.measured.powerW,
    });
    if (said === 'followed' && this.#unfollowed > 0) {
      this.#unfollowed = 0;
      this.#well();
    }
    if (said !== 'not followed') return;
    this.#unfollowed++;
    const why = `its registers are right, but it does not follow: ${this.#judged.why}`;
    if (this.#unfollowed >= MOST_ATTEMPTS) return this.#giveUp(now, why);
    // It may be one that listens to the enable alone.
    this.#isToggling = true;
    this.#said = null;
    return this.#attempt(wish, wanted, round, 'write');
  }

  async #giveBack(channel: KeptChannel, { now, seen, kept, signal }: Round): Promise<void> {
    const { original, written } = channel;
    const forget = () => {
      delete kept.channels[this.#kind];
      this.#state.save();
      this.#tried = '';
      this.#refusals = 0;
      this.#unfollowed = 0;
      this.#foreign = null;
      this.#said = null;
      this.#judged = null;
      this.#well();
    };
    const line = { at: now, setpoint: this.#kind };
    if (this.#foreign !== null) {
      this.#say({ ...line, action: 'release', result: 'left as another controller wrote it' });
      return forget();
    }
    if (now < this.#restoreAt) return;
    if (seen.isLocal)
      return this.#error(now, 'it is in local mode, so what it had before cannot be given back yet');
    const names = Object.keys({ ...original.registers, ...written?.registers });
    const found = readRaw(names, seen.map, seen.block);
    const enable = seen.map.enables[this.#kind];
    const changed = Object.entries(original.registers).filter(([name, raw]) => found[name] !== raw);
    // What goes off goes off first, what goes on last.
    const isOff = original.registers[enable] === 0;
    const order = changed.toSorted(
      ([a], [b]) => (isOff ? -1 : 1) * (Number(a === enable) - Number(b === enable)),
    );
    if (written?.isConfirmed) {
      // Half given back, it must not look like another controller's doing.
      kept.channels[this.#kind] = { original, written: { ...written, isConfirmed: false } };
      this.#state.save();
    }
    try {
      for (const [name, raw] of order) {
        await this.#inverter.write(name, raw, seen.map, this.#code, signal);
        this.#say({
          ...line,
          action: 'restore',
          register: name,
          code: this.#code,
          ...this.#numbers(name, { before: found[name], written: raw }, seen),
        });
      }
      seen.block = await this.#inverter.readBack(signal);
      const back = readRaw(names, seen.map, seen.block);
      const wrong = differences(original.registers, back, seen.map);
      if (wrong.length > 0) throw new Error(`${wrong.join(', ')} did not take what was there before`);
      this.#say({ ...line, action: 'release', result: 'restored' });
      forget();
    } catch (error) {
      if (signal.aborted) throw error;
      this.#restoreAt = now + RESTORE_AGAIN_MS;
      this.#error(now, `what it had before was not given back: ${this.#reason(error)}`);
    }
  }

  /** One more try that came to nothing; the third says why. */
  #refused(now: number, why: string): void {
    this.#refusals++;
    this.#say({ at: now, setpoint: this.#kind, action: 'check', result: `refused: ${why}` });
    if (this.#refusals >= MOST_ATTEMPTS) this.#giveUp(now, why);
  }

  #giveUp(now: number, why: string): void {
    const isHeld = this.#hasTaken && this.#refusals >= MOST_ATTEMPTS;
    this.#tryAgainAt = now + (isHeld ? RENEW_AGAIN_MS : TRY_AGAIN_MS);
    this.#error(now, `given up after ${MOST_ATTEMPTS} tries: ${why}`, MOST_ATTEMPTS);
  }

  /** Also learns from it: a device that does not know a function may know the other. */
  #reason(error: unknown): string {
    if (
      error instanceof ModbusError &&
      error.exceptionCode === 1 &&
      this.#inverter.config.function === 'auto'
    )
      this.#code = this.#code === 16 ? 6 : 16;
    return messageOf(error);
  }

  #makesMore(target: Target, { measured, ratedW }: Seen): boolean {
    if (target.kind !== 'setpoint_activepower') return false;
    return (measured.powerW ?? 0) > (target.percent * ratedW) / 100;
  }

  #numbers<K extends string>(name: string, raws: Record<K, number | undefined>, { map }: Seen) {
    const place = map.registers.get(name);
    return Object.fromEntries(
      Object.entries<number | undefined>(raws).flatMap(([key, raw]) =>
        raw === undefined || !place ? [] : [[key, signedOf(place, raw)]],
      ),
    );
  }

  #say(line: Omit<ControlLine, 'inverter'>): void {
    this.#journal.control({ ...line, inverter: this.#inverter.config.name });
  }

  #well(): void {
    this.#trouble = null;
    this.#journal.well(this.#inverter.config.name, this.#kind);
  }

  #error(now: number, message: string, attempts: number | null = null): void {
    this.#trouble = message;
    this.#journal.error(now, this.#inverter.config.name, this.#kind, message, attempts);
  }
}

const textOf = ({ provider, value, since }: Omit<Wish, 'target'>) => `${provider} ${value} ${since}`;

function isSame(one: Raw | undefined, other: Raw): boolean {
  return one !== undefined && Object.entries(other).every(([name, raw]) => one[name] === raw);
}
