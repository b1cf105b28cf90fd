import { storeDraft } from './draft.js';
import { $, failed, said } from './page.js';
import { call, session, startSession } from './session.js';

/** A token of the identity provider whose first sign-in also needs a code. */
let idToken = null;
let ways = { codes: true, provider: null };
let onEnter = () => undefined;

/** Shows the door. */
export function door() {
  $('door').hidden = false;
  $('ask').hidden = !ways.codes;
  $('provider').hidden = ways.provider === null;
  $('enter').hidden = true;
  $('enter').reset();
  if (ways.codes) $('ask').elements.email.focus();
}
function askCode(text) {
  $('ask').hidden = true;
  $('provider').hidden = true;
  $('enter').hidden = false;
  $('enter').elements.code.focus();
  said(text);
}
function enter(answer) {
  startSession(answer);
  idToken = null;
  said('');
  onEnter();
}

/** @param entered opens the desk for the person who signed in */
export function prepareDoor(entered) {
  onEnter = entered;
  $('ask').addEventListener('submit', (event) => {
    event.preventDefault();
    const email = new FormData($('ask')).get('email');
    said('');
    call('/v1/auth/otp/send', { body: { email } })
      .then(() => askCode('If the address is known, a code is on its way.'))
      .catch(failed);
  });
  $('again').addEventListener('click', door);
  $('enter').addEventListener('submit', (event) => {
    event.preventDefault();
    const email = new FormData($('ask')).get('email');
    const code = new FormData($('enter')).get('code');
    const signingIn = idToken
      ? call('/v1/auth/exchange', { body: { idToken, code } })
      : call('/v1/auth/otp/check', { body: { email, code } });
    signingIn.then(enter).catch(failed);
  });
  $('provider').addEventListener('click', toProvider);
}
/** Offers the ways to sign in, and continues after the identity provider has sent the browser back. */
export async function openDoor() {
  door();
  fromProvider();
  ways = await call('/v1/auth/ways').catch(() => ways);
  if (!session.token && $('enter').hidden) door();
}

function toProvider() {
  const [state, nonce] = [crypto.randomUUID(), crypto.randomUUID()];
  sessionStorage.setItem('oidc', JSON.stringify({ state, nonce }));
  storeDraft();
  const url = new URL(ways.provider.authorizeUrl);
  const asked = {
    response_type: 'id_token',
    response_mode: 'fragment',
    scope: 'openid email',
    client_id: ways.provider.clientId,
    redirect_uri: `${location.origin}/`,
    state,
    nonce,
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  location.assign(url);
}
function fromProvider() {
  const answer = new URLSearchParams(location.hash.slice(1));
  const asked = JSON.parse(sessionStorage.getItem('oidc') ?? 'null');
  if (!answer.has('id_token') && !answer.has('error')) return;
  history.replaceState(null, '', '/');
  sessionStorage.removeItem('oidc');
  const given = answer.get('id_token');
  if (!asked || answer.get('state') !== asked.state || nonceOf(given) !== asked.nonce) {
    said('The sign-in with your company account did not work. Try again.', true);
    return;
  }
  call('/v1/auth/exchange', { body: { idToken: given } })
    .then(enter)
    .catch((error) => {
      if (error.status !== 409) return failed(error);
      idToken = given;
      askCode('A code was mailed to you. It is needed the first time.');
    });
}
function nonceOf(token) {
  try {
    return JSON.parse(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/'))).nonce;
  } catch {
    return undefined;
  }
}
