interface Facts {
  /** We buy the shipping label when we place the order; otherwise the pharmacy ships and reports it (D38). */
  usesOurLabel: boolean;
}
/** A pharmacy with its own system, and the environment variables that only this system needs. */
interface OwnSystem extends Facts {
  credentials: readonly string[];
  /** Settings with article ids; the pharmacy does not carry an article without its setting. */
  articles: readonly string[];
}
interface SharedSystem extends Facts {
  ordersThrough: string;
}

/**
 * Every pharmacy, by its name on the wire (page 1, Routing configuration). An entry with its own system needs an
 * adapter in integrations/pharmacies/registry.ts to compile.
 */
const registry = {
  pharmacy_a: { credentials: ['API_KEY'], articles: [], usesOurLabel: false },
  pharmacy_b: {
    credentials: ['CLIENT_ID', 'CLIENT_SECRET'],
    articles: ['CATALOG_SEMAGLUTIDE', 'CATALOG_TIRZEPATIDE'],
    usesOurLabel: false,
  },
  /** It has no endpoint: pharmacy_a's system receives its orders (D20). */
  pharmacy_c: { ordersThrough: 'pharmacy_a', usesOurLabel: true },
} as const satisfies Record<string, OwnSystem | SharedSystem>;

type Registry = typeof registry;
export type Pharmacy = keyof Registry;
export type PharmacySystem = {
  [P in Pharmacy]: Registry[P] extends SharedSystem ? never : P;
}[Pharmacy];

export const pharmacies = Object.keys(registry) as [Pharmacy, ...Pharmacy[]];

export function systemOf(pharmacy: Pharmacy): PharmacySystem {
  const entry = registry[pharmacy];
  return 'ordersThrough' in entry ? entry.ordersThrough : (pharmacy as PharmacySystem);
}

export const pharmacySystems = pharmacies.filter(
  (pharmacy): pharmacy is PharmacySystem => systemOf(pharmacy) === pharmacy,
);

export const pharmaciesOf = (system: PharmacySystem): Pharmacy[] =>
  pharmacies.filter((pharmacy) => systemOf(pharmacy) === system);

export const usesOurLabel = (pharmacy: string): boolean =>
  (registry as Readonly<Record<string, Facts | undefined>>)[pharmacy]?.usesOurLabel ?? false;

/** `pharmacy_c` becomes `Pharmacy C`. */
export const pharmacyTitle = (pharmacy: string): string =>
  pharmacy.replace(/^pharmacy_(\w)$/, (_match, letter: string) => `Pharmacy ${letter.toUpperCase()}`);

/** The error for a state that no pharmacy serves (page 1, Routing configuration). */
export const noRouteText = (state: string): string => `No pharmacy route configured for state: ${state}`;

type Variable<S extends PharmacySystem, Name extends string> = `${Uppercase<S>}_${Name}`;
export type PharmacyVariables = {
  [S in PharmacySystem]: {
    url: Variable<S, 'BASE_URL' | 'SANDBOX_BASE_URL'>;
    credential: Variable<S, Registry[S]['credentials'][number]>;
    article: Variable<S, Registry[S]['articles'][number]>;
    webhookSecret: Variable<S, 'WEBHOOK_SECRET'>;
    sandboxWebhookSecret: Variable<S, 'SANDBOX_WEBHOOK_SECRET'>;
  };
}[PharmacySystem];

export function variablesOf(system: PharmacySystem) {
  const { credentials, articles } = registry[system];
  const prefix = system.toUpperCase() as Uppercase<PharmacySystem>;
  return {
    baseUrl: `${prefix}_BASE_URL` as const,
    sandboxBaseUrl: `${prefix}_SANDBOX_BASE_URL` as const,
    credentials: credentials.map((name) => `${prefix}_${name}` as PharmacyVariables['credential']),
    articles: articles.map((name) => `${prefix}_${name}` as PharmacyVariables['article']),
    webhookSecret: `${prefix}_WEBHOOK_SECRET` as const,
    sandboxWebhookSecret: `${prefix}_SANDBOX_WEBHOOK_SECRET` as const,
  };
}
