import { inWords, labelOf } from './words.js';

/** Who is signed in. The token lives as long as the tab (D142). */
export const session = {
  token: sessionStorage.getItem('token'),
  me: sessionStorage.getItem('me') ?? '',
  expiresAt: Number(sessionStorage.getItem('expiresAt')),
};
const idleMs = 15 * 60_000;
const renewBeforeMs = 6 * 60_000;
let lastActive = Date.now();
/** Gives up what is still being read when the session ends: there is nobody to show it to. */
let reads = new AbortController();
let onEnd = () => undefined;
/** @param ended clears the page; it gets the sentence that says why */
export const whenEnded = (ended) => (onEnd = ended);

export function startSession(signedIn) {
  lastActive = Date.now();
  keep(signedIn);
}
/** A renewal is no work: it leaves the idle time as it is. */
function keep({ token, admin, expiresAt }) {
  session.token = token;
  session.me = admin?.email ?? session.me;
  session.expiresAt = new Date(expiresAt).getTime();
  for (const [name, value] of Object.entries(session)) sessionStorage.setItem(name, String(value));
}
export function endSession(text) {
  if (!session.token) return;
  session.token = null;
  sessionStorage.clear();
  reads.abort();
  reads = new AbortController();
  onEnd(text);
}
/** Gives the token back. That it is none any more is what was wanted. */
export const signOut = () =>
  call('/v1/auth/sign-out', { method: 'POST' }).catch((error) => {
    if (error.status !== 401) throw error;
  });

const over = 'Your session has ended. Sign in again; your draft is kept.';

/** Asks the worklist. @throws Error in the words of the page, or AbortError if the session ended meanwhile */
export async function call(path, { body, headers = {}, method, isText = false } = {}) {
  const sentWith = session.token;
  const signal = body || method ? undefined : reads.signal;
  const response = await fetch(path, {
    method: method ?? (body ? 'POST' : 'GET'),
    headers: {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(sentWith ? { authorization: `Bearer ${sentWith}` } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal,
  }).catch(() => {
    signal?.throwIfAborted();
    throw new Error('The desk cannot be reached. Check your network and try again.');
  });
  if (response.ok && isText) return response.text();
  const answer = await response.json().catch(() => ({}));
  signal?.throwIfAborted();
  if (response.status === 401 && sentWith) {
    if (session.token === sentWith) endSession(over);
    throw Object.assign(new Error(over), { status: 401 });
  }
  if (!response.ok)
    throw Object.assign(new Error(problem(response.status, answer)), {
      status: response.status,
      code: answer.error,
    });
  return Object.defineProperty(answer, 'isPending', { value: response.status === 202 });
}

function problem(status, { details, message, error }) {
  if (status === 400 && Array.isArray(details) && details.length > 0) {
    const named = details.map(({ path, message: why }) => {
      const text = inWords(why).replace(/^./, (first) => first.toLowerCase());
      return `${labelOf(path)} (${text})`;
    });
    return `Please check: ${named.join(', ')}.`;
  }
  if (status === 401) return 'That did not work. Check the address and the code, or ask for a new code.';
  if (status === 403) return 'You may not do this.';
  if (status === 404) return 'This does not exist, or you may not see it.';
  if (status === 429) return 'Too many tries. Wait a minute and try again.';
  if (error === 'order_rejected') return `The pharmacy did not accept it: ${inWords(message)}.`;
  if (status >= 500 && error !== 'not_delivered')
    return 'A service does not answer at the moment. Nothing was lost; try again in a minute.';
  if (/^Idempotency-Key already used/.test(message))
    return 'The last try may still be carried out. Send it again unchanged, or look at the order first.';
  const text = inWords(String(message ?? error ?? 'It was not accepted'));
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

for (const type of ['keydown', 'pointerdown'])
  document.addEventListener(type, () => (lastActive = Date.now()), true);
let isRenewing = false;
/** Renews the session while somebody works, and ends it after 15 minutes without a key or click. */
export function tendSession() {
  const { token, expiresAt } = session;
  if (!token) return;
  if (Date.now() - lastActive >= idleMs) {
    signOut().catch(() => undefined);
    endSession('You were signed out after 15 minutes without a key or click. Your draft is kept.');
    return;
  }
  if (isRenewing || expiresAt - Date.now() > renewBeforeMs) return;
  isRenewing = true;
  call('/v1/auth/refresh', { method: 'POST' })
    .then((renewed) => session.token === token && keep(renewed))
    .catch(() => undefined)
    .finally(() => (isRenewing = false));
}
