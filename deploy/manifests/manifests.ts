import { stringify } from 'yaml';
import {
  type ComposeService,
  healthTestOf,
  portOf,
  readCompose,
  readSettings,
  serviceOf,
} from './compose.js';
import { version } from '../../platform/version.js';
import { healthPort, namespace, networkPolicies } from './network-policies.js';

// Kubernetes manifests follow from docker-compose.yml and deploy/production.env, so commands, settings and secrets of
// a service are stated once.

const runtimeFolder = '/etc/scriptrail';

/**
 * By file name, without Postgres and Temporal.
 * @param image where the nodes pull it
 */
export function manifests(image = `scriptrail:${version}`): Record<string, string> {
  const compose = readCompose();
  const { services } = compose;
  const ofProduct = Object.entries(services).filter(
    ([, { image, profiles }]) => image.startsWith('scriptrail:') && profiles.length === 0,
  );
  const jobs = ofProduct.filter(([, { restart }]) => restart.startsWith('on-failure'));
  const workers = ofProduct.filter(([name]) => name.endsWith('-worker'));
  const apis = ofProduct.filter(([, { ports }]) => ports.length > 0);
  return {
    'settings.yaml': documents([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'settings', namespace },
        data: {
          ...readSettings('deploy/production.env'),
          ...serviceOf(compose, 'router').environment,
          TEMPORAL_ADDRESS: 'temporal.example.org:7233',
          TEMPORAL_TLS_SERVER_NAME: 'temporal.example.org',
          TRUSTED_PROXIES: '10.0.0.0/8',
        },
      },
      metricsRules,
    ]),
    'network.yaml': documents(networkPolicies(apis)),
    'jobs.yaml': documents(jobs.map(([name, service]) => job(name, { ...service, image }))),
    'apis.yaml': documents(apis.flatMap(([name, service]) => api(name, { ...service, image }))),
    'workers.yaml': documents(workers.flatMap(([name, service]) => worker(name, { ...service, image }))),
  };
}

// Kubernetes reads YAML 1.1, in which a plain `off` is a boolean.
const documents = (all: readonly object[]): string =>
  `# Written by \`npm run generate -- manifests\` from docker-compose.yml and deploy/production.env; docs/production.md, "Kubernetes".\n${all
    .map(
      (document) =>
        `---\n${stringify(document, { version: '1.1', lineWidth: 0, singleQuote: true, aliasDuplicateObjects: false })}`,
    )
    .join('')}`;

const labels = (name: string) => ({
  'app.kubernetes.io/name': name,
  'app.kubernetes.io/part-of': 'scriptrail',
});
const metadata = (name: string) => ({ name, namespace, labels: labels(name) });

function podSpec(name: string, service: ComposeService, probes: object) {
  const grace = service.stop_grace_period ?? '30s';
  return {
    automountServiceAccountToken: false,
    // Otherwise a Service named `router` sets ROUTER_PORT to an address, where a setting holds a number.
    enableServiceLinks: false,
    terminationGracePeriodSeconds: Number(grace.replace('s', '')),
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      fsGroup: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [
      {
        name,
        image: service.image,
        args: service.command,
        envFrom: [{ configMapRef: { name: 'settings' } }],
        ...probes,
        resources: {
          requests: { cpu: '100m', memory: '256Mi' },
          limits: { cpu: String(service.cpus), memory: service.mem_limit?.replace('m', 'Mi') },
        },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [
          { name: 'tmp', mountPath: '/tmp' },
          { name: 'secrets', mountPath: '/run/secrets', readOnly: true },
          { name: 'certificates', mountPath: runtimeFolder, readOnly: true },
        ],
      },
    ],
    volumes: [
      { name: 'tmp', emptyDir: {} },
      {
        name: 'secrets',
        secret: {
          secretName: 'secrets',
          defaultMode: 0o440,
          items: service.secrets.map(({ source, target }) => ({ key: source, path: target })),
        },
      },
      {
        name: 'certificates',
        configMap: {
          name: 'certificates',
          items: ['ca.pem', 'client.pem'].map((file) => ({ key: file, path: file })),
        },
      },
    ],
  };
}

function deployment(name: string, service: ComposeService, probes: object): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata(name),
    spec: {
      replicas: 2,
      selector: { matchLabels: { 'app.kubernetes.io/name': name } },
      // Replaces pods one at a time, and stops none before its successor is ready.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: { labels: labels(name) },
        spec: {
          ...podSpec(name, service, probes),
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: { 'app.kubernetes.io/name': name } },
            },
          ],
        },
      },
    },
  };
}

const budget = (name: string): object => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: metadata(name),
  spec: { minAvailable: 1, selector: { matchLabels: { 'app.kubernetes.io/name': name } } },
});

const autoscaler = (name: string, metrics: readonly object[]): object => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: metadata(name),
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
    minReplicas: 2,
    maxReplicas: 10,
    metrics,
    // A stopping worker returns its activities, so scale down only after ten quiet minutes.
    behavior: { scaleDown: { stabilizationWindowSeconds: 600 } },
  },
});

function api(name: string, service: ComposeService): object[] {
  const port = portOf(service);
  const get = (path: string) => ({ httpGet: { path, port } });
  const probes = {
    ports: [
      { name: 'http', containerPort: port },
      { name: 'health', containerPort: healthPort },
    ],
    startupProbe: { ...get('/health'), periodSeconds: 2, failureThreshold: 60 },
    livenessProbe: { ...get('/health'), periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 },
    readinessProbe: { ...get('/ready'), periodSeconds: 2, timeoutSeconds: 5, failureThreshold: 1 },
  };
  const cpu = {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
  };
  return [
    deployment(name, service, probes),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: metadata(name),
      spec: {
        selector: { 'app.kubernetes.io/name': name },
        ports: [{ name: 'http', port, targetPort: 'http' }],
      },
    },
    budget(name),
    autoscaler(name, [cpu]),
  ];
}

const slotsUsed = 'scriptrail_activity_slots_used_ratio';
const scheduleToStart = 'scriptrail_schedule_to_start_p95_seconds';

function worker(name: string, service: ComposeService): object[] {
  const probes = {
    ports: [{ name: 'health', containerPort: healthPort }],
    readinessProbe: { exec: { command: healthTestOf(service) }, periodSeconds: 15, timeoutSeconds: 5 },
  };
  const queue = name.replace(/-worker$/, '');
  return [
    deployment(name, service, probes),
    budget(name),
    autoscaler(name, [
      {
        type: 'Pods',
        pods: { metric: { name: slotsUsed }, target: { type: 'AverageValue', averageValue: '700m' } },
      },
      {
        type: 'External',
        external: {
          metric: { name: scheduleToStart, selector: { matchLabels: { task_queue: queue } } },
          // Seconds until a task gets a slot; an approval has about twenty tasks.
          target: { type: 'Value', value: '500m' },
        },
      },
    ]),
  ];
}

const job = (name: string, service: ComposeService): object => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: metadata(name),
  spec: {
    backoffLimit: 6,
    template: {
      metadata: { labels: labels(name) },
      spec: { restartPolicy: 'OnFailure', ...podSpec(name, service, {}) },
    },
  },
});

/** Rules for the Prometheus adapter: the autoscaler's metrics from the SDK's. */
const metricsRules = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'prometheus-adapter-rules', namespace },
  data: {
    'rules.yaml': stringify(
      {
        rules: [
          {
            seriesQuery:
              'temporal_worker_task_slots_used{namespace!="",pod!="",worker_type="ActivityWorker"}',
            resources: { overrides: { namespace: { resource: 'namespace' }, pod: { resource: 'pod' } } },
            name: { as: slotsUsed },
            metricsQuery:
              'sum(temporal_worker_task_slots_used{worker_type="ActivityWorker",<<.LabelMatchers>>}) by (<<.GroupBy>>) / (sum(temporal_worker_task_slots_used{worker_type="ActivityWorker",<<.LabelMatchers>>}) by (<<.GroupBy>>) + sum(temporal_worker_task_slots_available{worker_type="ActivityWorker",<<.LabelMatchers>>}) by (<<.GroupBy>>))',
          },
        ],
        externalRules: [
          {
            seriesQuery: 'temporal_activity_schedule_to_start_latency_seconds_bucket{namespace!=""}',
            resources: { overrides: { namespace: { resource: 'namespace' } } },
            name: { as: scheduleToStart },
            metricsQuery:
              'histogram_quantile(0.95, sum(rate(temporal_activity_schedule_to_start_latency_seconds_bucket{<<.LabelMatchers>>}[2m])) by (le, task_queue))',
          },
        ],
      },
      { lineWidth: 0 },
    ),
  },
};
