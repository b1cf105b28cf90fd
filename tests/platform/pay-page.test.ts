import { expect, test } from '@jest/globals';
import { fillPayPage, readPayPage } from '../../api/intake/pay-page.js';

const clinic = { clinic: 'Clinic <b>&', contact: 'care@example.org' };
const real = { ...clinic, publishableKey: 'pk_live_of_the_tests' };
const simulated = { ...clinic, publishableKey: undefined };
const owed = {
  amountCents: 29_900,
  currency: 'usd',
  couponEnded: false,
  needs: 'card',
  status: 'failed',
} as const;
const shown = (settings: typeof real | typeof simulated) =>
  fillPayPage(readPayPage(settings).html, settings, { owed });
const policyOf = (settings: typeof real | typeof simulated) =>
  Object.fromEntries(
    readPayPage(settings)
      .headers['content-security-policy'].split('; ')
      .map((directive) => directive.split(/ (.*)/s)),
  ) as Record<string, string>;

test('a page with a publishable key takes real cards only (D163)', () => {
  expect(shown(real)).toContain('<script src="https://js.stripe.com/v3/"></script>');
  expect(shown(real)).toContain('data-key="pk_live_of_the_tests" data-currency="usd"');
  expect(shown(real)).not.toMatch(/pm_card_|Test card/);
});

test('a page without a key offers test cards and loads nothing from elsewhere (D163)', () => {
  expect(shown(simulated)).toContain('pm_card_visa');
  expect(shown(simulated)).not.toContain('stripe.com/');
});

test('the policy admits the hosts that Stripe documents, and no other (D163)', () => {
  const [policy, without] = [policyOf(real), policyOf(simulated)];
  const hash = without['script-src'];
  expect(hash).toMatch(/^'sha256-[\w+/]+='$/);
  expect(policy).toEqual({
    ...without,
    'script-src': `${hash} https://js.stripe.com https://*.js.stripe.com`,
    'connect-src': "'self' https://api.stripe.com",
    'frame-src': 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  });
  expect(without['connect-src']).toBe("'self'");
  expect(without['default-src']).toBe("'none'");
});

test('the page names the clinic and a contact, as text (D163)', () => {
  for (const state of [{ owed }, { owed: null }, { error: 'Invalid payment link' }])
    expect(fillPayPage(readPayPage(real).html, real, state)).toContain(
      '<p>Clinic &#60;b&#62;&#38;: care@example.org</p>',
    );
});

test('a page on which nothing is owed loads no script of the processor', () => {
  expect(fillPayPage(readPayPage(real).html, real, { owed: null })).not.toContain('stripe.com/');
});
