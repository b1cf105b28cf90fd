import { type ComposeService, portOf } from './compose.js';

export const namespace = 'scriptrail';
/** HEALTH_PORT, which also serves metrics. */
export const healthPort = 4090;

/** Namespaces with these labels hold the gateway, and what reads metrics. */
const gateways = { 'scriptrail.health/gateway': 'true' };
const monitoring = { 'scriptrail.health/monitoring': 'true' };

/**
 * Nobody reaches a pod but for these: an API is open to our own pods and to the gateway, a health port to the monitoring.
 * No pod reaches the addresses at which clouds give away credentials; other traffic out of a pod is open.
 */
export function networkPolicies(apis: readonly [string, ComposeService][]): object[] {
  const policy = (name: string, spec: object) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, namespace },
    spec,
  });
  const everywhere = (cidr: string, ...except: string[]) => ({ ipBlock: { cidr, except } });
  return [
    policy('default-deny', {
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
      egress: [
        {
          to: [
            // Some networks do not count pods among the addresses.
            { namespaceSelector: {} },
            everywhere('0.0.0.0/0', '169.254.169.254/32', '169.254.170.0/24'),
            everywhere('::/0', 'fd00:ec2::/32', 'fd20:ce::254/128'),
          ],
        },
      ],
    }),
    policy('health', {
      podSelector: {},
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [{ namespaceSelector: { matchLabels: monitoring } }],
          ports: [{ protocol: 'TCP', port: healthPort }],
        },
      ],
    }),
    ...apis.map(([name, service]) =>
      policy(name, {
        podSelector: { matchLabels: { 'app.kubernetes.io/name': name } },
        policyTypes: ['Ingress'],
        ingress: [
          {
            from: [
              { podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'scriptrail' } } },
              { namespaceSelector: { matchLabels: gateways } },
            ],
            ports: [{ protocol: 'TCP', port: portOf(service) }],
          },
        ],
      }),
    ),
  ];
}
