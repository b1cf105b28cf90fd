import { el, folded } from './page.js';
import { inWords, when, words } from './words.js';

/** The story of an order: milestones in plain sentences, with the technical entries folded. */
export const entry = (at, text) => el('li', {}, el('time', { datetime: at }, when(at)), text);

function messageOf(text, state) {
  const type = words(text.split(',')[0]).toLowerCase();
  return state === 'failed'
    ? `The patient could not be notified: ${type}`
    : `The patient was notified: ${type}`;
}
/** Without codes and dates of the API. */
const plain = (text) => inWords(text).replace(/\b[a-z]+_[a-z_]+\b/g, (code) => words(code).toLowerCase());
/** A milestone in a plain sentence; null for what only engineers look for. */
function milestone({ kind, text, state }) {
  if (kind === 'step' || kind === 'callback') return null;
  if (kind === 'run') {
    if (text === 'Denial') return 'The request was denied';
    if (/: ended$/.test(text)) return state === 'failed' ? 'The approval stopped with an error' : null;
    return text.replace(/^Approval of (.*)$/, '$1 was approved').replace(/^./, (c) => c.toUpperCase());
  }
  if (kind === 'message') return messageOf(text, state);
  if (kind === 'charge') {
    const charge = /^Charge \d+: (\d+\.\d\d) USD/.exec(text);
    if (charge)
      return `${state === 'succeeded' ? 'Paid' : state === 'failed' ? 'Declined' : 'Charge started'}: $${charge[1]}`;
  }
  if (kind === 'refund') return text.replace(/\b(\d{1,9}\.\d\d) USD/, '$$$1');
  if (kind === 'work_item')
    return `For the desk: ${text.replace(/: (\w+)$/, (_all, reason) => `: ${words(reason).toLowerCase()}`)}`;
  if (kind === 'order') return inWords(text.replace(/^Order [\w-]+ for /, 'Ordered at '));
  const known = plain(text);
  const isSaid = state === 'submitted' || known.toLowerCase().includes(plain(state ?? '').toLowerCase());
  return state && !isSaid ? `${known} (${words(state).toLowerCase()})` : known;
}
export function storyOf(entries) {
  const milestones = entries.map((one) => [one.at, milestone(one)]).filter(([, text]) => text !== null);
  return [
    milestones.length > 0
      ? el('ol', { class: 'entries' }, ...milestones.map(([at, text]) => entry(at, text)))
      : el('p', { class: 'why' }, 'Nothing has happened yet.'),
    folded(
      `All ${entries.length} technical entries`,
      el(
        'ol',
        { class: 'entries' },
        ...entries.map(({ at, service, kind, text, state, link }) => {
          const line = `${text}${state ? ` (${state})` : ''} · ${words(kind)}, ${service}`;
          return el('li', {}, el('time', { datetime: at }, when(at)), line, ' ', runLink(link, 'run'));
        }),
      ),
    ),
  ];
}
const partyWords = {
  Router: 'what the pharmacy says',
  Orchestrator: 'the approval, the charge and the refills',
  'Notification service': 'the messages to the patient',
  'Intake gateway': 'what intakes know',
  'Patient directory': 'what the patient directory knows',
  EMR: 'what the medical record knows',
};
/** Says what a page lacks because a service does not answer; the rest is shown. */
export const missingOf = (parties = []) =>
  parties.length > 0 &&
  el(
    'p',
    { class: 'late', role: 'note' },
    `Missing now: ${parties.map((party) => partyWords[party] ?? party).join('; ')}. A service does not answer; try again in a minute.`,
  );
/** A link to a workflow in the Web UI, in another tab. */
export const runLink = (url, text) =>
  url && /^https?:/.test(url) ? el('a', { href: url, target: '_blank', rel: 'noreferrer' }, text) : null;
