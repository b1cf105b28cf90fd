import { randomUUID } from 'node:crypto';
import { withDatabase } from '../../cli/database.js';
import { setClock } from '../../cli/clock.js';
import { ask } from '../../cli/lists.js';
import { findPaymentProfile } from '../../db/orchestrator/payment-profiles.js';
import type { CalendarDay } from '../../domain/calendar.js';
import { refillTaskId } from '../../domain/orchestrator/refills.js';
import { taskLink } from '../../cli/system.js';
import type { DevJson } from '../dev-json.js';
import { answerItem, asAdmin, itemOf } from './desk.js';
import { finding, type Finding, line, settledFindings } from './judge.js';
import { newPatient } from './new-patient.js';
import { mailsTo, newest, sandbox, until } from './outside.js';
import { followUpDue, ladder, type YearStory } from './year-stories.js';

interface Plan {
  id: string;
  state: string;
  phase: number;
  fill: number | null;
  fillsSent: number;
  nextFillDate: CalendarDay;
  waitingFor: { what: 'check_in' | 'decision' | 'renewal'; because: string; fill: number }[];
}
interface History {
  plan: Plan;
  checkIns: { fill: number; flagged: boolean }[];
  decisions: { fill: number; phase: number }[];
}
interface Order {
  at: string;
  body: { patient: { email?: string }; sig?: string };
}
interface Charge {
  status: string;
  customer: string;
  metadata: Record<string, string>;
}

const service = 'orchestrator';
const plansPath = '/orchestrator/plans';
const post = <T>(path: string, body: object): Promise<T> =>
  ask<T>({ service, method: 'POST', path, body: JSON.stringify(body) });

/** Begins the plan of a new patient today, whose first fill is sent at once. */
export async function beginCourse(dev: DevJson, story: YearStory): Promise<Course> {
  const patient = await newPatient(dev, { state: 'WA', card: 'pm_card_visa' });
  const { emrPatientId } = patient;
  const body = { planRef: `year-${randomUUID()}`, emrPatientId, treatment: 'weight-loss', phases: ladder };
  const { plan } = await post<{ plan: Plan }>(plansPath, body);
  const course = new Course(dev, story, patient, plan);
  course.say(taskLink(dev, refillTaskId(plan.id)));
  await until('the first fill is sent', async () => {
    await course.read();
    return course.plan.fillsSent === 1 || undefined;
  });
  return course;
}

/** Sets the clock, runs the check for these plans alone, and lets patients and prescribers answer. */
export async function checkDay(courses: readonly Course[], day: CalendarDay): Promise<void> {
  await setClock(day);
  const scheduleIds = courses.filter((course) => course.isOpen()).map(({ plan }) => plan.id);
  await post('/orchestrator/refill-check', { scheduleIds });
  await Promise.all(courses.map((course) => course.answer(day)));
}

/** The plan of one patient, and what the books say of it. */
export class Course {
  readonly found: Finding[] = [];
  readonly lines: string[] = [];
  private checkIns = 0;

  constructor(
    private readonly dev: DevJson,
    readonly story: YearStory,
    private readonly patient: { emrPatientId: string; email: string },
    public plan: Plan,
  ) {}

  say(text: string): void {
    this.lines.push(`  ${text}`);
  }

  isOpen(): boolean {
    return this.plan.state === 'active' || this.plan.state === 'waiting';
  }

  async read(): Promise<History> {
    const history = await ask<History>({ service, path: `${plansPath}/${this.plan.id}` });
    this.plan = history.plan;
    return history;
  }

  /** Answers what the gate asks for: the patient by the clinic's app, the prescriber at the desk. */
  async answer(day: CalendarDay): Promise<void> {
    if (!this.isOpen()) return;
    await this.read();
    const asked = this.plan.waitingFor.find(({ what }) => what === 'check_in');
    if (asked) await this.checkIn(day, asked.fill);
    const decision = this.plan.waitingFor.find(({ what }) => what === 'decision');
    if (decision) await this.decide(day, decision);
    if (this.plan.state === 'waiting' && day > this.plan.nextFillDate) await this.pause(day);
  }

  private async checkIn(day: CalendarDay, fill: number): Promise<void> {
    const checkIn = this.story.checkIn(this.plan.phase, fill);
    if (!checkIn) return;
    await until('the patient is asked for the check-in', async () => {
      const mails = await mailsTo(this.dev, this.patient.email);
      const asked = mails.filter(({ subject }) => subject === followUpDue).length;
      return asked > this.checkIns ? asked : undefined;
    });
    this.checkIns += 1;
    const answers = { sideEffects: checkIn.flagged ? 'strong' : 'none' };
    await post(`${plansPath}/${this.plan.id}/check-ins`, { answers, ...checkIn, fill });
    this.say(`${day}: check-in before fill ${fill}${checkIn.flagged ? ', with side effects' : ''}.`);
    await this.read();
  }

  private async decide(day: CalendarDay, { because, fill }: Plan['waitingFor'][number]): Promise<void> {
    const phase = this.story.decide(this.plan.phase, because);
    const id = await itemOf('decision_needed', { planId: this.plan.id });
    await answerItem(id, 'decide', { phase });
    this.say(`${day}: the prescriber decides at the desk for phase ${phase}, fill ${fill} (${because}).`);
    await this.read();
  }

  private async pause(day: CalendarDay): Promise<void> {
    await answerItem(await itemOf('check_in_missing', { planId: this.plan.id }), 'pause');
    this.say(`${day}: the check-in is missing for a week, and a coordinator pauses the plan.`);
    await this.read();
  }

  /** Compares the books of pharmacies, processor, mailbox and desk with the story, once they match. */
  async settle(): Promise<void> {
    const found = await settledFindings(() => this.findings());
    this.found.push(...found);
    for (const one of found) this.say(line(one));
  }

  private async findings(): Promise<Finding[]> {
    const { story, dev, patient } = this;
    const [history, { orders }, { charges }, mails, profile, items] = await Promise.all([
      this.read(),
      sandbox<{ orders: Order[] }>(dev, `/orders?${newest}`),
      sandbox<{ charges: Charge[] }>(dev, `/charges?${newest}`),
      mailsTo(dev, patient.email),
      withDatabase((sql) => findPaymentProfile(sql, patient.emrPatientId)),
      this.closedItems(),
    ]);
    const dosages = orders
      .filter(({ body }) => body.patient.email === patient.email)
      .sort((one, other) => one.at.localeCompare(other.at))
      .map(({ body }) => body.sig ?? '');
    const paid = charges
      .filter(({ status, customer }) => status === 'succeeded' && customer === profile?.customerId)
      .map(({ metadata }) => metadata['task_id']);
    return [
      finding('fills', inRows(story.orders), inRows(dosages)),
      finding('orders without an open gate', 0, closedGates(dosages, history)),
      finding('charges', story.orders.length, paid.length),
      finding('fills charged', story.orders.length, new Set(paid).size),
      finding('patient notified', counted(story.told), counted(countOf(mails.map(({ subject }) => subject)))),
      finding('people asked', story.items.join(', '), items.join(', ')),
      finding('plan', story.state, history.plan.state),
    ];
  }

  private async closedItems(): Promise<string[]> {
    type Item = { references: Record<string, string>; answer: string | null; closedAt: string };
    const lists = await Promise.all(
      ['decision_needed', 'check_in_missing'].map((kind) =>
        asAdmin<{ workItems: Item[] }>(
          'worklist',
          'GET',
          `/v1/work-items?kind=${kind}&state=closed&limit=200`,
        ),
      ),
    );
    return lists
      .flatMap(({ workItems }) => workItems)
      .filter(({ references }) => references['planId'] === this.plan.id)
      .sort((one, other) => one.closedAt.localeCompare(other.closedAt))
      .map(({ answer }) => answer ?? 'nobody');
  }
}

/** Orders that lack the check-in, or the decision, that the gate of their fill asks for by the ladder and its answers. */
const closedGates = (dosages: readonly string[], { checkIns, decisions }: History): number =>
  dosages.filter((dosage, index) => {
    if (index === 0) return false;
    const isOther = dosage !== dosages[index - 1];
    const phase = ladder.find((phase) => phase.dosage === dosage);
    const checkIn = checkIns.find(({ fill }) => fill === index + 1);
    const isDecided = decisions.some(({ fill }) => fill === index + 1);
    const mustReport = isOther || phase?.checkIn === 'fill';
    const mustDecide = isOther || checkIn?.flagged === true;
    return (mustReport && !checkIn) || (mustDecide && !isDecided);
  }).length;

/** `4 x inject 10 units weekly, ...`, by neighbors. */
function inRows(texts: readonly string[]): string {
  const rows: { text: string; count: number }[] = [];
  for (const text of texts) {
    const last = rows.at(-1);
    if (last?.text === text) last.count += 1;
    else rows.push({ text, count: 1 });
  }
  return rows.map(({ text, count }) => `${count} x ${text}`).join(', ');
}

const countOf = (texts: readonly string[]): Record<string, number> =>
  Object.fromEntries(
    [...new Set(texts)].map((text) => [text, texts.filter((other) => other === text).length]),
  );
const counted = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([text, count]) => `${count} x ${text}`)
    .join(', ');
