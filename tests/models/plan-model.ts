/** A client's request; days are numbers from the first one. */
export interface Course {
  phases: {
    fills: number;
    supply: number;
    checkIn: 'none' | 'phase' | 'fill';
    decision: 'none' | 'phase';
  }[];
  startsOn: number;
  prescribedUntil: number;
  /** It began elsewhere: so many fills of a phase were sent, the last on that day. */
  running?: { phase: number; sent: number; on: number };
}

type Asked = 'check_in' | 'decision' | 'renewal';
const bufferDays = 3;
const askDays = 10;

/**
 * The specification of a plan (D125, D126), apart from the product's rules. Each answer adds to a list of facts, which
 * is read from its beginning.
 */
export class PlanModel {
  status: 'active' | 'paused' | 'completed' | 'stopped' = 'active';
  readonly fills: number[];
  readonly sent: number[];
  /** The next fill's, from 0. */
  phase: number;
  /** Number of the next fill. */
  n: number;
  dueOn: number;
  waiting: Asked[] = [];
  /** The newest fill that can be cancelled. */
  newest: { n: number; phase: number; wasFirst: boolean; on: number } | undefined;
  private isFirst: boolean;
  private last: { on: number; supply: number } | undefined;
  private hadFirst: boolean;
  private until: number;
  private onHand = 0;
  private asked = 0;
  private facts = { checkedIn: 0, decided: 0, knewGap: false, flagged: false, cancelled: false };

  constructor(private readonly course: Course) {
    const { phases, running, startsOn, prescribedUntil } = course;
    this.fills = phases.map(({ fills }) => fills);
    const sentBefore = (index: number) => {
      if (!running || index > running.phase) return 0;
      return index < running.phase ? this.fills[index]! : running.sent;
    };
    this.sent = phases.map((_, index) => sentBefore(index));
    this.phase = this.sent.findIndex((sent, index) => sent < this.fills[index]!);
    this.n = this.count() + 1;
    this.isFirst = this.sent[this.phase] === 0;
    this.hadFirst = running !== undefined;
    this.until = prescribedUntil;
    const lastPhase = phases[this.sent.findLastIndex((sent) => sent > 0)];
    this.last = running && { on: running.on, supply: lastPhase!.supply };
    this.dueOn = this.last ? this.after(this.last) : startsOn;
  }

  count = () => this.sent.reduce((sum, sent) => sum + sent, 0);
  isOpen = () => this.status === 'active' || this.status === 'paused';
  next = () => this.course.phases[this.phase]!;
  /** The first day to which the fill may be moved. */
  earliest = () => (this.last ? this.last.on + Math.ceil((this.next().supply * 3) / 5) : this.dueOn);
  private readonly after = ({ on, supply }: { on: number; supply: number }) =>
    on + Math.max(1, supply - bufferDays);

  private isGap(day: number): boolean {
    if (!this.last) return false;
    return Math.max(day, this.dueOn) > this.last.on + Math.floor(1.5 * this.last.supply) + this.onHand;
  }

  /** The answer that the fill needs, if it went out that day or when it is due. */
  gate(day: number): Asked[] {
    const { facts, isFirst, n } = this;
    if (!this.hadFirst) return facts.cancelled ? ['decision'] : [];
    const { checkIn, decision } = this.next();
    const asks: Asked[] = [];
    if ((checkIn === 'fill' || (checkIn === 'phase' && isFirst)) && facts.checkedIn !== n)
      asks.push('check_in');
    const isDecided = facts.decided === n;
    const entersPhase = decision === 'phase' && isFirst && !isDecided;
    const isGapOpen = this.isGap(day) && !(isDecided && facts.knewGap);
    if (facts.flagged || facts.cancelled || isGapOpen || entersPhase) asks.push('decision');
    if (Math.max(day, this.dueOn) > this.until) asks.push('renewal');
    return asks;
  }

  /** After a change, or by the daily check, which asks some days ahead. */
  judge(day: number, by: 'change' | 'check' = 'change'): void {
    if (this.dueOn <= day + (by === 'check' ? askDays : 0)) this.asked = this.n;
    this.waiting = this.isOpen() && this.asked === this.n ? this.gate(day) : [];
  }

  /** The fill must go out now, and may. */
  mustSend = (day: number): boolean =>
    this.status === 'active' && this.dueOn <= day && this.gate(day).length === 0;

  checkIn(day: number, { flagged, daysOnHand }: { flagged: boolean; daysOnHand: number | null }): void {
    this.facts.checkedIn = this.n;
    this.facts.flagged ||= flagged;
    if (daysOnHand !== null) {
      this.onHand = daysOnHand;
      this.dueOn = Math.max(this.dueOn, day + daysOnHand - bufferDays);
    }
    this.judge(day);
  }

  decide(day: number, phase: number): void {
    this.isFirst ||= phase !== this.phase;
    this.phase = phase;
    if (this.sent[phase]! >= this.fills[phase]!) this.fills[phase]! += 1;
    this.facts = {
      ...this.facts,
      decided: this.n,
      knewGap: this.isGap(day),
      flagged: false,
      cancelled: false,
    };
    this.judge(day);
  }

  renew(day: number, until: number): void {
    this.until = until;
    this.judge(day);
  }

  /** A move, or what a skip comes to. */
  move(day: number, to: number): void {
    this.dueOn = to;
    this.judge(day);
  }

  pause(day: number): void {
    this.status = 'paused';
    this.judge(day);
  }

  resume(day: number): void {
    this.status = 'active';
    this.dueOn = Math.max(this.dueOn, day);
    this.judge(day);
  }

  stop(): void {
    this.status = 'stopped';
    this.waiting = [];
  }

  send(day: number): void {
    const { phase, n, isFirst } = this;
    this.newest = { n, phase, wasFirst: isFirst, on: day };
    this.last = { on: day, supply: this.next().supply };
    this.sent[phase]! += 1;
    this.hadFirst = true;
    this.n += 1;
    this.dueOn = this.after(this.last);
    this.waiting = [];
    const next = this.sent.findIndex((sent, index) => index >= phase && sent < this.fills[index]!);
    if (next < 0) this.status = 'completed';
    else this.phase = next;
    this.isFirst = next >= 0 && next !== phase;
  }

  /** The pharmacy gives the newest fill back. */
  cancelNewest(day: number): void {
    const { phase, wasFirst } = this.newest!;
    this.newest = undefined;
    this.sent[phase]! -= 1;
    this.phase = phase;
    this.isFirst = wasFirst;
    this.hadFirst = this.count() > 0;
    this.facts.cancelled = true;
    if (this.status === 'completed') this.status = 'active';
    this.judge(day);
  }
}
