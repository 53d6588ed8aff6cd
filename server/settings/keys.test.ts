import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Env } from './env.js';
import { Keys } from './keys.js';

let dataDir: string;
beforeEach(() => void (dataDir = mkdtempSync(join(tmpdir(), 'keys-'))));
afterEach(() => rmSync(dataDir, { recursive: true }));

const keysOf = (authSecrets?: readonly string[]) => new Keys(Object.assign(new Env(), { dataDir, authSecrets }));
const NEW = 'n'.repeat(32);
const OLD = 'o'.repeat(32);

describe('keys', () => {
  test('differ by purpose and by secret, and are the same every time', () => {
    const keys = keysOf([NEW, OLD]);
    const all = [...keys.keysFor('ticket'), ...keys.keysFor('refresh-token')].map((key) => key.join());
    expect(new Set(all).size).toBe(4);
    expect(keysOf([NEW]).keysFor('ticket')[0]).toEqual(keys.keysFor('ticket')[0]);
    expect(keysOf([OLD]).keysFor('ticket')[0]).toEqual(keys.keysFor('ticket')[1]);
  });

  test('come from a generated secret in the data folder, which only its owner can read', () => {
    const key = keysOf().keysFor('ticket')[0];
    expect(keysOf().keysFor('ticket')[0]).toEqual(key);
    expect(statSync(join(dataDir, 'auth-secret')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(dataDir, 'auth-secret'), 'utf8').length).toBeGreaterThan(60);
  });

  test('are not derived from an empty file', () => {
    writeFileSync(join(dataDir, 'auth-secret'), '\n');
    expect(() => keysOf()).toThrow(/must hold at least 32 characters/);
  });
});
