import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import type { Json } from '../../support/servers/api.ts';
import { SETTINGS } from '../../../src/settings/config.ts';
import { CLUSTER, COMPOSE } from '../../production/compose.ts';
import { aFolder } from '../../support/servers/folder.ts';
import { findPythonPackage, isMissing } from '../../support/servers/python.ts';

const CHART = fileURLToPath(new URL('../../../deploy/helm/tidemark', import.meta.url));
const NEEDED = {
  'image.repository': 'registry.example.com/tidemark',
  publicUrl: 'https://billing.example.com',
  existingSecret: 'tidemark',
  'temporal.address': 'temporal-frontend.temporal:7233',
  trustedProxies: '10.0.0.0/8',
};
const EVERYTHING = {
  ...NEEDED,
  'ingress.enabled': 'true',
  'ingress.className': 'nginx',
  'ingress.tlsSecret': 'tidemark-tls',
  'tls.existingSecret': 'own-tls',
  'temporal.uiUrl': 'https://temporal.example.com',
  'settings.GRACE_PERIOD': '2h',
  'imagePullSecrets[0].name': 'registry',
  'cluster.nodes': '{db1.internal,db2.internal:5433}',
  'cluster.adminSecret': 'tidemark-admin',
};

/** It brings the schemas, which kubeconform would download. */
const VALIDATOR = { name: 'kubernetes-validate', version: '1.37.0' } as const;
const INSTALL_LIMIT_MS = 300_000;

const setOf = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
/** A helm that Go installed takes the cluster for a version that the chart does not support. */
const TEMPLATE = ['template', '--kube-version', '1.34.0', 'tidemark', CHART];
const textOf = (values: Readonly<Record<string, string>>) =>
  execFileSync('helm', [...TEMPLATE, ...setOf(values)], { encoding: 'utf8' });
const render = (values: Readonly<Record<string, string>>): Json[] =>
  parseAllDocuments(textOf(values)).map((document) => document.toJS());

function isThere(command: string): boolean {
  return spawnSync('which', [command], { stdio: 'ignore' }).status === 0;
}

/** Skips the test, and says why. */
function skip(test: Mocha.Context, reason: string): never {
  console.log(`      skipped: ${reason}`);
  return test.skip();
}

describe('deploy/helm/tidemark', () => {
  before(function () {
    if (!isThere('helm')) skip(this, 'helm is not installed, so the chart is not rendered');
  });

  const find = (rendered: Json[], kind: string, name = '') =>
    rendered.find((found) => found.kind === kind && found.metadata.name.endsWith(name))!;
  const containerOf = (workload: Json) => workload.spec.template.spec.containers[0];
  const environmentOf = (workload: Json): Record<string, string> =>
    Object.fromEntries(containerOf(workload).env.map(({ name, value }: Json) => [name, value]));

  it('passes helm lint', () => {
    const { status, stdout } = spawnSync('helm', ['lint', '--strict', CHART, ...setOf(NEEDED)], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout);
  });

  it('is refused with a sentence without what it needs', () => {
    for (const missing of Object.keys(NEEDED)) {
      const given = Object.fromEntries(Object.entries(NEEDED).filter(([name]) => name !== missing));
      const { status, stderr } = spawnSync('helm', [...TEMPLATE, ...setOf(given)], {
        encoding: 'utf8',
      });
      assert.notEqual(status, 0, missing);
      assert.match(stderr, new RegExp(`set ${missing.replace('.', '\\.')}`));
    }
  });

  it('is refused with a sentence where nodes have no Secret, and where one is not a host', () => {
    const refusalOf = (more: Readonly<Record<string, string>>) => {
      const given = setOf({ ...NEEDED, ...more });
      const { status, stderr } = spawnSync('helm', [...TEMPLATE, ...given], { encoding: 'utf8' });
      assert.notEqual(status, 0);
      return stderr;
    };
    assert.match(refusalOf({ 'cluster.nodes': '{db1}' }), /set cluster\.adminSecret: the name of a Secret/);
    const admin = { 'cluster.adminSecret': 'tidemark-admin' };
    assert.match(refusalOf({ 'cluster.nodes': '{postgres://db1}', ...admin }), /cluster[./]nodes/);
  });

  describe('by the schemas of Kubernetes', () => {
    let validate: string;
    before(async function () {
      this.timeout(INSTALL_LIMIT_MS);
      const { name, version } = VALIDATOR;
      try {
        validate = join(await findPythonPackage(name, version), name);
      } catch (error) {
        if (!isMissing(error)) throw error;
        skip(this, 'there is no python3 on the PATH');
      }
    });

    for (const version of ['1.25', '1.34', '1.37'])
      it(`has what Kubernetes ${version} knows`, async () => {
        const file = join(await aFolder(), 'chart.yaml');
        for (const values of [NEEDED, EVERYTHING]) {
          writeFileSync(file, textOf(values));
          const { status, stderr } = spawnSync(validate, ['-k', version, '--strict', file], {
            encoding: 'utf8',
          });
          assert.equal(status, 0, stderr);
        }
      });
  });

  it('starts the API, the worker and the setup with the commands of docker-compose.yml', () => {
    const rendered = render(NEEDED);
    const command = (name: string) => COMPOSE.services[name]!.command;
    assert.deepEqual(containerOf(find(rendered, 'Deployment', '-api')).command, command('api'));
    assert.deepEqual(containerOf(find(rendered, 'Deployment', '-worker')).command, command('worker'));
    const setup = find(rendered, 'Job', '-setup');
    assert.deepEqual(containerOf(setup).command, command('setup'));
    assert.equal(setup.metadata.annotations['helm.sh/hook'], 'pre-install,pre-upgrade');
  });

  it('gives every process settings that exist, and secrets from the Secret alone', () => {
    const rendered = render(EVERYTHING);
    for (const workload of [
      find(rendered, 'Deployment', '-api'),
      find(rendered, 'Deployment', '-worker'),
      find(rendered, 'Job', '-setup'),
    ]) {
      const names = Object.keys(environmentOf(workload));
      assert.deepEqual(
        names.filter((name) => !(name in SETTINGS)),
        [],
      );
      assert.equal(environmentOf(workload)['GRACE_PERIOD'], '2h');
      for (const secret of ['DATABASE_URL', 'DATABASE_PASSWORD', 'TIDEMARK_SECRET'])
        assert.ok(!names.includes(secret));
      assert.deepEqual(containerOf(workload).envFrom, [{ secretRef: { name: 'tidemark' } }]);
    }
    assert.ok(!rendered.some(({ kind }) => kind === 'Secret'));
  });

  it('adds the nodes by a job after the setup, which alone has the Secret of the superuser', () => {
    assert.equal(find(render(NEEDED), 'Job', '-cluster'), undefined);
    const rendered = render(EVERYTHING);
    const [setup, cluster] = ['-setup', '-cluster'].map((name) => find(rendered, 'Job', name));
    const weightOf = (job: Json) => Number(job.metadata.annotations['helm.sh/hook-weight']);
    assert.equal(cluster.metadata.annotations['helm.sh/hook'], setup.metadata.annotations['helm.sh/hook']);
    assert.ok(weightOf(cluster) > weightOf(setup));
    const script = 'for node; do tidemark cluster add "$node"; done';
    const by_compose = CLUSTER.services['cluster']!.command![2]!.replaceAll('$$', '$');
    assert.ok(by_compose.startsWith(`${script.replace('add', 'add --without-tls')};`));
    const given = ['cluster', 'db1.internal', 'db2.internal:5433'];
    assert.deepEqual(containerOf(cluster).command, ['/bin/sh', '-ec', script, ...given]);
    const secretsOf = (workload: Json) =>
      containerOf(workload).envFrom.map(({ secretRef }: Json) => secretRef.name);
    assert.deepEqual(secretsOf(cluster), ['tidemark', 'tidemark-admin']);
    for (const workload of rendered.filter(({ kind }) => ['Deployment', 'Job'].includes(kind)))
      if (workload !== cluster) assert.deepEqual(secretsOf(workload), ['tidemark']);
    const without = find(render({ ...EVERYTHING, 'cluster.withoutTls': 'true' }), 'Job', '-cluster');
    assert.equal(containerOf(without).command[2], script.replace('add', 'add --without-tls'));
  });

  it('asks each process at its port, restarts none for its database, and lets it drain', () => {
    const rendered = render(NEEDED);
    for (const [name, setting] of [
      ['-api', 'PORT'],
      ['-worker', 'WORKER_PORT'],
    ] as const) {
      const workload = find(rendered, 'Deployment', name);
      const { ports, readinessProbe, livenessProbe, startupProbe } = containerOf(workload);
      const port = ports.find((found: Json) => found.name === readinessProbe.httpGet.port).containerPort;
      assert.equal(`${port}`, environmentOf(workload)[setting]);
      assert.equal(readinessProbe.httpGet.path, '/readyz');
      for (const probe of [livenessProbe, startupProbe]) assert.equal(probe.httpGet.path, '/healthz');
    }
    const api = find(rendered, 'Deployment', '-api');
    const { terminationGracePeriodSeconds } = api.spec.template.spec;
    assert.ok(terminationGracePeriodSeconds > Number(environmentOf(api)['DRAIN_SECONDS']) + 25);
  });

  it('runs as the user of the image, writes to /tmp alone, and has no ports of metrics in its Service', () => {
    const rendered = render(NEEDED);
    for (const workload of rendered.filter(({ kind }) => ['Deployment', 'Job'].includes(kind))) {
      assert.equal(workload.spec.template.spec.securityContext.runAsUser, 1000);
      const { securityContext, volumeMounts, resources } = containerOf(workload);
      assert.equal(securityContext.readOnlyRootFilesystem, true);
      assert.deepEqual(
        volumeMounts.map(({ mountPath }: Json) => mountPath),
        ['/tmp'],
      );
      assert.ok(resources.limits.memory);
    }
    assert.deepEqual(find(rendered, 'Service').spec.ports, [{ name: 'http', port: 80, targetPort: 'http' }]);
  });

  it('scales the API, keeps one of each when nodes are drained, and opens an Ingress for the public host', () => {
    const rendered = render(EVERYTHING);
    const api = find(rendered, 'Deployment', '-api');
    assert.equal(api.spec.replicas, undefined);
    assert.equal(find(rendered, 'HorizontalPodAutoscaler').spec.scaleTargetRef.name, api.metadata.name);
    const budgets = rendered.filter(({ kind }) => kind === 'PodDisruptionBudget');
    for (const { spec } of budgets) {
      const labels = spec.selector.matchLabels;
      const workload = find(rendered, 'Deployment', `-${labels['app.kubernetes.io/component']}`);
      assert.deepEqual(workload.spec.selector.matchLabels, labels);
    }
    assert.equal(budgets.length, 2);
    const { rules, tls } = find(rendered, 'Ingress').spec;
    assert.equal(rules[0].host, 'billing.example.com');
    assert.deepEqual(tls, [{ hosts: ['billing.example.com'], secretName: 'tidemark-tls' }]);
    assert.equal(
      rules[0].http.paths[0].backend.service.port.name,
      find(rendered, 'Service').spec.ports[0].name,
    );
  });
});
