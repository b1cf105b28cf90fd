import { pharmacySystems } from '../../domain/pharmacies.js';

/** Parts of a path that do not belong to a name. */
const silent = new Set(['v1', 'orchestrator', 'rx', 'notify', 'admin', 'workers', 'api', 'public', 'auth']);

/** Operations whose path gives no useful name. */
const ownNames: Readonly<Record<string, string>> = {
  'get /notify/log': 'listNotifications',
  'get /physicians/me': 'getOwnProfile',
  'get /physicians/{id}/verify-license': 'verifyLicense',
  'get /rx/catalog': 'listArticles',
  'get /rx/routing': 'listRoutes',
  'get /rx/routing/{state}': 'listRoutesOfState',
  'get /v1/public/resolve': 'resolveHostname',
  'post /api/pharmacy-router/callback': 'takeRouterCallback',
  'post /notify/send': 'sendNotification',
  'post /orchestrator/refill-check': 'checkRefills',
  'post /payment-intent': 'createPaymentIntent',
  'post /physicians/me/signature': 'setOwnSignature',
  ...Object.fromEntries(
    pharmacySystems.map((system) => [
      `post /rx/webhooks/${system}`,
      camelCase(['take', ...system.split('_'), 'webhook']),
    ]),
  ),
  'post /notify/timeline': 'listMessagesOfTimeline',
  'post /rx/prescriptions/{id}/missing': 'lookForMissingPrescription',
  'post /rx/timeline': 'listOrdersOfTimeline',
  'post /submit': 'submitIntake',
  'post /timeline': 'listItemsOfTimeline',
  'post /v1/auth/exchange': 'exchangeToken',
  'post /v1/patients/email-lookup': 'lookUpEmail',
  'post /verify-email/check': 'checkVerificationCode',
  'post /verify-email/send': 'sendVerificationCode',
  'post /webhooks/emr': 'takeEmrWebhook',
  'put /physicians/me': 'updateOwnProfile',
  'delete /rx/catalog/{pharmacy}': 'deleteArticle',
  'put /rx/catalog/{pharmacy}': 'updateArticle',
  'put /rx/routing/{state}': 'updateRoute',
};

/**
 * The name of an operation in generated clients, derived from its method and path: `GET /physicians/{id}/licenses` is
 * `listPhysicianLicenses`, `POST /v1/organizations/{id}/suspend` is `suspendOrganization`.
 */
export function operationIdOf(method: string, path: string): string {
  const ownName = ownNames[`${method} ${path}`];
  if (ownName !== undefined) return ownName;
  const parts = path.split('/').filter((part) => part !== '' && !silent.has(part));
  const nouns = parts.filter((part) => !isParameter(part));
  const last = parts.at(-1) ?? '';
  const singular = nouns.map(singularOf);
  if (method === 'get') {
    if (isParameter(last) || !isPlural(last)) return camelCase(['get', ...singular]);
    return camelCase(['list', ...singular.slice(0, -1), last]);
  }
  if (method === 'put' || method === 'patch') return camelCase(['update', ...singular]);
  if (method === 'delete') return camelCase(['delete', ...singular]);
  if (isPlural(last)) return camelCase(['create', ...singular]);
  return camelCase([last, ...singular.slice(0, -1)]);
}

const isParameter = (part: string): boolean => part.startsWith('{');
const isPlural = (part: string): boolean => part.endsWith('s') && part !== 'status';
const singularOf = (part: string): string =>
  isPlural(part) ? part.replace(/ies$/, 'y').replace(/s$/, '') : part;

function camelCase(parts: readonly string[]): string {
  return parts
    .flatMap((part) => part.split(/[-_]/))
    .map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
}
