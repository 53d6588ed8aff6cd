import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { findBlackboxExporter, findNodeExporter } from '../../scripts/machine/exporters.js';
import { freePort } from '../support/postgres.js';

const node = findNodeExporter();
const blackbox = findBlackboxExporter();
const [suite, title] =
  node && blackbox
    ? [describe, 'The exporters']
    : [
        describe.skip,
        'The exporters (SKIPPED: on Debian: apt-get install prometheus-node-exporter prometheus-blackbox-exporter)',
      ];

/** The metrics of the exporters that the rules and the dashboard use. */
const used = ['ops/prometheus-rules.yml', 'ops/grafana/dashboard.json'].flatMap((file) => [
  ...new Set(readFileSync(file, 'utf8').match(/\b(?:node_filesystem|probe)_\w+/g)),
]);
const namesIn = (text: string) => new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));

/** Starts an exporter, asks it once it answers, and ends it. */
async function answerOf(program: string, args: readonly string[], path: string): Promise<string> {
  const port = await freePort();
  const exporter = spawn(program, [...args, `--web.listen-address=127.0.0.1:${port}`], { stdio: 'ignore' });
  const ended = once(exporter, 'exit');
  try {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
      if (answer) return await answer.text();
      if (exporter.exitCode !== null) throw new Error(`${program} ended with ${exporter.exitCode}`);
      await new Promise((later) => setTimeout(later, 50));
    }
  } finally {
    exporter.kill();
    await ended;
  }
}

suite(title, () => {
  test('node_exporter, as the compose file starts it, has the metrics of disks that rules and dashboard use', async () => {
    const { services } = parse(readFileSync('docker-compose.yml', 'utf8')) as {
      services: Record<'node-exporter', { command: string[]; volumes: string[] }>;
    };
    const { command, volumes } = services['node-exporter'];
    const [source, mounted] = volumes[0]!.split(':') as [string, string];
    const args = command.map((arg) => arg.replace(`=${mounted}/`, '=/').replace(`=${mounted}`, `=${source}`));
    const metrics = await answerOf(node!, args, '/metrics');

    expect([...namesIn(metrics)]).toEqual(expect.arrayContaining(used.filter((name) => name.startsWith('node_'))));
    expect(metrics).toMatch(/^node_filesystem_avail_bytes\{.*fstype=".*mountpoint="\/"\} /m);
  });

  test('blackbox_exporter tells when the certificate of a site expires', async () => {
    const folder = mkdtempSync(join(process.env.TEST_FOLDER!, 'certificate-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '10', '-keyout', key, '-out', cert];
    execFileSync('openssl', [...made, ...subject], { stdio: 'ignore' });
    const site = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) =>
      response.end(),
    );
    await once(site.listen(0, '127.0.0.1'), 'listening');
    const file = join(folder, 'blackbox.yml');
    writeFileSync(file, `modules: { http_2xx: { prober: http, http: { tls_config: { ca_file: ${cert} } } } }\n`);
    const target = `https://localhost:${(site.address() as AddressInfo).port}/`;
    const { scrape_configs } = parse(readFileSync('ops/prometheus.yml', 'utf8')) as {
      scrape_configs: { job_name: string; metrics_path: string; params: { module: string[] } }[];
    };
    const { metrics_path, params } = scrape_configs.find(({ job_name }) => job_name === 'site')!;
    const path = `${metrics_path}?module=${params.module[0]}&target=${target}`;
    const metrics = await answerOf(blackbox!, [`--config.file=${file}`], path);
    site.close();
    rmSync(folder, { recursive: true });

    expect([...namesIn(metrics)]).toEqual(expect.arrayContaining(used.filter((name) => name.startsWith('probe_'))));
    expect(metrics).toMatch(/^probe_success 1$/m);
    const [, expiry] = /^probe_ssl_earliest_cert_expiry (\S+)$/m.exec(metrics)!;
    expect((Number(expiry) * 1000 - Date.now()) / 86_400_000).toBeCloseTo(10, 1);
  });
});

test('rules and dashboard use the metrics of both exporters', () => {
  expect(used).toEqual(
    expect.arrayContaining(['node_filesystem_avail_bytes', 'probe_success', 'probe_ssl_earliest_cert_expiry']),
  );
});
