/**
 * Settings of production, made from a development system's environment: external services at other addresses, live
 * keys, nothing that only development may have. Otherwise complete, for every service.
 * @param sandbox the origin that the outside has there
 * @param outside the origin that it is to have
 */
export const productionSettings = (
  development: Readonly<Record<string, string>>,
  { sandbox, outside }: { sandbox: string; outside: string },
): Record<string, string> => {
  const kept = Object.entries(development).filter(
    ([name]) => !/^(RATE_LIMIT_.*|ALLOW_.*|CODEC_PATH_TOKEN)$/.test(name),
  );
  const settings = Object.fromEntries(kept.map(([name, value]) => [name, moved(name, value)]));
  return {
    ...settings,
    NODE_ENV: 'production',
    INTAKE_REQUIRE_EMAIL_PROOF: 'true',
    SMTP_HOST: 'mail.example.org',
    INTAKE_ORIGINS: 'https://clinic.example.org',
    INTAKE_FORM_URL: 'https://clinic.example.org/intake',
    INTAKE_PUBLIC_URL: 'https://intake.example.org',
    CLINIC_NAME: 'Clinic of the tests',
    CLINIC_CONTACT: 'care@clinic.example.org',
    STRIPE_PUBLISHABLE_KEY: 'pk_live_of_the_tests',
    ADMIN_PORTAL_URL: 'https://admin.example.org',
  };

  function moved(name: string, value: string): string {
    if (name.endsWith('_DATABASE_URL')) return `${value}?sslmode=verify-full`;
    return value.replace(sandbox, outside).replace(/^sk_test_/, 'sk_live_');
  }
};
