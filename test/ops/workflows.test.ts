import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

const FOLDER = '.github/workflows';

interface Step {
  id?: string;
  name?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

interface Job {
  needs?: string;
  permissions?: Record<string, string>;
  'timeout-minutes': number;
  steps: Step[];
}

interface Workflow {
  on: { push: { tags?: string[] } };
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const texts = Object.fromEntries(readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]));
const release = parse(texts['release.yml']!) as Workflow;
const { image, release: publication, 'check-and-test': check } = release.jobs;
const using = (job: Job, action: string) => job.steps.find(({ uses }) => uses?.startsWith(`${action}@`))!.with!;

describe.each(Object.entries(texts))('%s', (_name, text) => {
  test('names each action by a digest, with its version beside it', () => {
    const uses = [...text.matchAll(/uses: (.*)$/gm)].map(([, action]) => action);

    expect(uses.length).toBeGreaterThan(0);
    for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('puts no value into a script, which a name could break out of', () => {
    for (const { steps, 'timeout-minutes': limit } of Object.values((parse(text) as Workflow).jobs)) {
      expect(limit).toBeLessThanOrEqual(30);
      for (const { run = '' } of steps) expect(run).not.toContain('${{');
    }
  });
});

describe('The workflow of a release', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tic-tac-toe-workflow-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs a step as a runner does. */
  const run = (step: Step, env: Record<string, string>) =>
    spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run!], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...env },
      encoding: 'utf8',
    });

  test('begins with a tag of a version, tests, and only then publishes', () => {
    expect(release.on).toEqual({ push: { tags: ['v*'] } });
    const scripts = check!.steps.map(({ run: script }) => script).filter((script) => script !== undefined);
    expect(scripts.slice(1)).toEqual(['bash .ci/run', 'node scripts/release/files.js']);
    // The check compares the API with the release before.
    expect(using(check!, 'actions/checkout')['fetch-depth']).toBe(0);
    expect([image!.needs, publication!.needs]).toEqual(['check-and-test', 'image']);
  });

  test('gives each job what it needs and no more', () => {
    expect(release.permissions).toEqual({});
    expect(check!.permissions).toEqual({ contents: 'read' });
    expect(image!.permissions).toEqual({
      contents: 'read',
      packages: 'write',
      'id-token': 'write',
      attestations: 'write',
    });
    expect(publication!.permissions).toEqual({ contents: 'write', 'id-token': 'write', attestations: 'write' });
    for (const job of [check!, image!]) expect(using(job, 'actions/checkout')['persist-credentials']).toBe(false);
  });

  test('runs no code of a package in a job that may write', () => {
    for (const { steps } of [image!, publication!]) {
      for (const { run: script = '' } of steps) expect(script).not.toMatch(/\b(npm|node|npx|bash)\b/);
    }
  });

  test('refuses a tag that is not the version of package.json, and a commit that is not on main', () => {
    const git = (...words: string[]) => {
      const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'commit.gpgSign=false'];
      execFileSync('git', [...author, ...words], { cwd: folder });
    };
    writeFileSync(join(folder, 'package.json'), '{ "version": "1.2.3", "type": "module" }');
    git('init', '--quiet', '--initial-branch=main');
    git('add', '.');
    git('commit', '--quiet', '--message=one');
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    const step = check!.steps.find(({ name }) => name?.startsWith('The tag'))!;

    expect(run(step, { GITHUB_REF_NAME: 'v1.2.3' }).status).toBe(0);
    expect(run(step, { GITHUB_REF_NAME: 'v1.2.4' }).status).toBe(1);
    git('commit', '--quiet', '--allow-empty', '--message=two');
    expect(run(step, { GITHUB_REF_NAME: 'v1.2.3' }).status).toBe(1);
  });

  test('names the image after the repository, in small letters, and after the version', () => {
    const output = join(folder, 'output');
    const step = image!.steps.find(({ id }) => id === 'names')!;
    const env = { REGISTRY: 'ghcr.io', GITHUB_REPOSITORY: 'Ada/Tic-Tac-Toe', GITHUB_REF_NAME: 'v1.2.3' };

    expect(run(step, { ...env, GITHUB_OUTPUT: output }).status).toBe(0);
    expect(readFileSync(output, 'utf8')).toBe('image=ghcr.io/ada/tic-tac-toe\nversion=1.2.3\n');
    expect(using(image!, 'docker/build-push-action').tags).toBe(
      '${{ steps.names.outputs.image }}:${{ steps.names.outputs.version }}',
    );
  });

  test('pushes the image with its provenance, its packages and the arguments of the Dockerfile', () => {
    const build = using(image!, 'docker/build-push-action');
    expect(build).toMatchObject({
      context: '.',
      push: true,
      provenance: 'mode=max',
      sbom: true,
    });
    const given = [...String(build['build-args']).matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    const asked = [...readFileSync('Dockerfile', 'utf8').matchAll(/^ARG (\w+)/gm)].map(([, name]) => name);
    expect([...given].sort()).toEqual([...new Set(asked)].sort());
    expect(using(image!, 'actions/attest-build-provenance')).toMatchObject({
      'subject-digest': '${{ steps.build.outputs.digest }}',
      'push-to-registry': true,
    });
  });

  test('publishes the files of the release with their checksums and notes', () => {
    const { path } = using(check!, 'actions/upload-artifact');
    expect(using(publication!, 'actions/download-artifact')).toEqual({ name: 'release', path });
    const step = publication!.steps.find(({ run: script }) => script)!;
    const stub = join(folder, 'gh');
    writeFileSync(stub, '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
    const said = run(step, { PATH: `${folder}:${process.env.PATH}`, GITHUB_REF_NAME: 'v1.2.3' }).stdout.split('\n');

    expect(said.slice(0, 6)).toEqual(['release', 'create', 'v1.2.3', '--verify-tag', '--title', '1.2.3']);
    expect(said).toEqual(expect.arrayContaining(['--notes-file', 'dist/release/notes.md', 'dist/release/SHA256SUMS']));
    expect(using(publication!, 'actions/attest-build-provenance')).toEqual({
      'subject-checksums': 'dist/release/SHA256SUMS',
    });
  });
});
